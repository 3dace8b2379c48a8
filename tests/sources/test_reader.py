from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.go.package import read_package
from validation_gen.sources.model import (
    Array,
    Interface,
    List,
    Map,
    Named,
    Package,
    Pointer,
    Struct,
    TypeExpr,
    Universe,
    Unsupported,
)
from validation_gen.sources.reader import read_universe
from validation_gen.sources.wellknown import RELEASES, WIRE_FORMATS, wellknown_source, wire_format

Tree = Callable[[dict[str, str]], Path]
Read = Callable[..., Universe]
META = "k8s.io/apimachinery/pkg/apis/meta/v1"
WELLKNOWN = Path(__file__, "../../../validation_gen/sources/wellknown").resolve()
WELLKNOWN_PATHS = sorted(path.parent.relative_to(WELLKNOWN).as_posix() for path in WELLKNOWN.rglob("types.go"))


def test_input_and_other_packages(read_tree: Read, diagnostics: Diagnostics) -> None:
    universe = read_tree(
        {
            "go.mod": "module example.com/m\nreplace a.io/b => ./b\n",
            "apis/v1/types.go": 'package v1\nimport "a.io/b"\ntype T struct { F b.X }\n',
            "b/x.go": "package b\ntype X = Y\ntype Y struct {}\n",
        },
        "./apis",
    )
    assert list(universe.packages) == ["example.com/m/apis/v1"]
    package = universe.packages["example.com/m/apis/v1"]
    assert (package.name, package.directory, package.module, package.input) == ("v1", "apis/v1", "example.com/m", True)
    assert str(package.types["T"].span) == "apis/v1/types.go:3:6"
    struct = package.types["T"].type
    assert isinstance(struct, Struct)
    reference = struct.fields[0].type
    assert isinstance(reference, Named)
    declared = universe.find(reference)
    assert declared is not None
    assert str(declared) == "a.io/b.Y", "aliases are followed"
    assert not universe.packages["a.io/b"].input
    assert universe.package("a.io/nowhere") is None
    assert diagnostics.items == []


def test_modules_given_by_the_user(read_tree: Read, diagnostics: Diagnostics) -> None:
    files = {
        "apis/v1/types.go": 'package v1\nimport "example.com/x/other"\nconst C = other.C\n',
        "lib/other/o.go": "package other\nconst C = 7\n",
    }
    universe = read_tree(files, "apis", modules={"example.com/x": "lib", "example.com/y": "nowhere"})
    assert universe.packages["apis/v1"].constants[0].value == 7
    assert [(item.code, str(item.span)) for item in diagnostics.items] == [("VG904", "nowhere")]


@pytest.mark.parametrize(
    ("pattern", "readonly"),
    [
        ("example.com/m/a", ["a"]),
        ("example.com/m/a/...", ["a", "a/b"]),
        ("example.com/m/...", ["a", "a/b", "ab"]),
        ("example.com/m/a...", ["a", "a/b", "ab"]),
        (".../b", ["a/b"]),
        ("example.com/m", []),
        ("example-com/m/a", []),
    ],
)
def test_readonly(read_tree: Read, pattern: str, readonly: list[str]) -> None:
    files = {"go.mod": "module example.com/m\n"} | {f"{name}/x.go": "package x\n" for name in ("a", "a/b", "ab")}
    universe = read_tree(files, readonly=[pattern])
    found = sorted(path for path, package in universe.packages.items() if not package.input)
    assert found == [f"example.com/m/{name}" for name in readonly]


def test_problems_of_other_packages_are_warnings(read_tree: Read, diagnostics: Diagnostics) -> None:
    universe = read_tree(
        {
            "go.mod": "module example.com/m\nreplace b.io/b => ./b\n",
            "a/a.go": "package a\ntype A struct{}\n",
            "b/b.go": "package b\ntype T struct { A int int; B nowhere.X }\nconst C T = nowhere.C\n",
        },
        "a",
    )
    assert universe.package("b.io/b") is not None
    assert [(item.code, item.severity.value) for item in diagnostics.items] == [("VG101", "warning")]


def test_results_do_not_depend_on_the_order_of_directories(
    tree: Tree, diagnostics: Diagnostics, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["a", "b", "c"]
    tree(
        {"go.mod": "module example.com/m\n"}
        | {
            f"{name}/{file}.go": f"package x\ntype T_{file} int\ntype Twice string\n"
            for name in names
            for file in names
        }
    )
    first = read_universe(["."], diagnostics)
    scandir = os.scandir

    class Reversed:
        def __init__(self, path: str) -> None:
            self._entries = scandir(path)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return sorted(self._entries, key=lambda entry: entry.name, reverse=True)

        def __exit__(self, *_: object) -> None:
            self._entries.close()

    monkeypatch.setattr(os, "scandir", Reversed)
    second = read_universe(["."], diagnostics)
    assert first.packages == second.packages
    assert list(first.packages) == list(second.packages)
    assert [list(package.types) for package in first.inputs] == [list(package.types) for package in second.inputs]


@pytest.mark.parametrize(
    "path", ["./other", "../other", "/etc", "a//b", "", "a\\b", "a.io/\0", "a.io/..", "example.com/m/missing"]
)
def test_import_paths_that_lead_nowhere(read_tree: Read, path: str) -> None:
    files = {"go.mod": "module example.com/m\n", "m/m.go": "package m\n", "other/o.go": "package other\n"}
    assert read_tree(files, "m").package(path) is None


def test_wellknown_types_stand_in_for_missing_sources(read_tree: Read, diagnostics: Diagnostics) -> None:
    files = {"go.mod": "module example.com/m\n", "m.go": "package m\n", "meta/types.go": "package v1\ntype Time int\n"}
    universe = read_tree(files)
    declared = universe.find(Named(META, "ObjectMeta"))
    assert declared is not None
    assert declared.span.file == f"wellknown/{META}/types.go"
    assert wire_format(declared) is None
    time = universe.find(Named(META, "Time"))
    assert time is not None
    assert wire_format(time) == "time"

    universe = read_universe(["."], diagnostics, modules={META: "meta"})
    time = universe.find(Named(META, "Time"))
    assert time is not None
    assert time.span.file == "meta/types.go", "real sources come first"
    assert wire_format(time) == "time", "and are known for their JSON form all the same"


def test_wire_format_of_types_that_decode_themselves(read_tree: Read) -> None:
    package = read_tree(
        {
            "go.mod": "module e.io\n",
            "m.go": "package m\ntype A int\ntype B int\nfunc (*B) UnmarshalJSON([]byte) error\n",
        }
    ).packages["e.io"]
    assert {name: wire_format(declared) for name, declared in package.types.items()} == {"A": None, "B": "any"}


class Alone:
    """Reads well-known packages without looking for any source."""

    def __init__(self) -> None:
        self.diagnostics = Diagnostics()

    def package_name(self, path: str) -> str | None:
        source = wellknown_source(path, RELEASES[-1])
        return source.name if source else None

    def package(self, path: str) -> Package | None:
        source = wellknown_source(path, RELEASES[-1])
        return read_package(source, self, self.diagnostics, user=False) if source else None


@each("path", WELLKNOWN_PATHS)
def test_wellknown_declarations_are_sound(path: str) -> None:
    """Each file is valid Go without rules, and all types that it refers to are well known as well."""
    reader = Alone()
    universe = Universe(load=reader.package)
    package = universe.package(path)
    assert package is not None

    def check(type_: TypeExpr) -> None:
        if isinstance(type_, Named):
            assert universe.find(type_) is not None, str(type_)
        elif isinstance(type_, Map):
            check(type_.key)
            check(type_.elem)
        elif isinstance(type_, Pointer | List | Array):
            check(type_.elem)
        elif isinstance(type_, Struct):
            for field in type_.fields:
                check(field.type)
                assert not any("k8s:" in line.text for line in field.comments)
        else:
            assert not isinstance(type_, Unsupported)

    for declared in package.types.values():
        check(declared.type)
    assert all(constant.value is not None for constant in package.constants)
    assert reader.diagnostics.items == []


def test_wellknown_types_with_a_wire_format_exist(read_tree: Read) -> None:
    universe = read_tree({"go.mod": "module e.io\n", "m.go": "package m\n"})
    for name, form in WIRE_FORMATS.items():
        path, _, type_ = name.rpartition(".")
        declared = universe.find(Named(path, type_))
        assert declared is not None, name
        assert declared.custom_json or isinstance(declared.type, Interface), f"{name} is no {form}"
