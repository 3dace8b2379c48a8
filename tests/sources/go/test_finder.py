from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.go.files import is_ignored
from validation_gen.sources.go.finder import find_packages

Tree = Callable[[dict[str, str]], Path]
MODULE = {"go.mod": "module example.com/m\n"}


def found(*paths: str, **options: object) -> tuple[list[str], list[tuple[str, str, str]]]:
    diagnostics = Diagnostics()
    sources = find_packages(paths or ["."], diagnostics, **options)  # type: ignore[arg-type]
    return [source.path for source in sources], [(i.code, str(i.span), i.message) for i in diagnostics.sorted()]


def test_the_whole_tree_below(tree: Tree) -> None:
    tree(MODULE | dict.fromkeys(("apis/a.go", "apis/b/c/d.go", "apis/b/c/e.go", "other/f.go"), "package x\n"))
    wanted = ["example.com/m/apis", "example.com/m/apis/b/c"]
    for argument in ("apis", "./apis", "./apis/", "apis/...", "./apis/...", str(Path.cwd() / "apis"), "other/../apis"):
        assert found(argument) == (wanted, []), argument
    assert found(".")[0] == found("...")[0] == found("./...")[0] == [*wanted, "example.com/m/other"]


def test_what_is_passed_over(tree: Tree) -> None:
    names = (
        "a.go a_test.go zz_generated.deepcopy.go _a.go .a.go a.txt generated.pb.go "
        "vendor/v/a.go testdata/a.go .hidden/a.go _under/a.go only_tests/a_test.go b/zz_generated.x.go"
    )
    tree(MODULE | dict.fromkeys(names.split(), "package x\n"))
    diagnostics = Diagnostics()
    (source,) = find_packages(["."], diagnostics)
    assert [file.name for file in source.files] == ["a.go", "generated.pb.go"]
    assert diagnostics.items == []


@pytest.mark.parametrize("argument", ["testdata", "testdata/apis", "_under", ".hidden", "testdata/apis/a.go"])
def test_arguments_may_be_what_is_passed_over_below(tree: Tree, argument: str) -> None:
    tree(MODULE | {f"{name}/a.go": "package x\n" for name in ("testdata/apis", "_under", ".hidden")})
    assert len(found(argument)[0]) == 1


def test_a_vendored_package_keeps_its_import_path(tree: Tree) -> None:
    tree(MODULE | {"vendor/k8s.io/api/core/v1/a.go": "package v1\n"})
    assert found("vendor/k8s.io")[0] == ["k8s.io/api/core/v1"]


def test_a_file_stands_for_its_package(tree: Tree) -> None:
    tree(MODULE | {"a/a.go": "package x\n", "a/b.go": "package x\n", "a/c/c.go": "package x\n"})
    diagnostics = Diagnostics()
    (source,) = find_packages(["a/b.go", "./a/a.go"], diagnostics)
    assert (source.path, [file.display for file in source.files]) == ("example.com/m/a", ["a/a.go", "a/b.go"])


def test_import_paths_come_from_the_nearest_module(tree: Tree) -> None:
    tree(
        {
            "go.mod": '// comment\nmodule "example.com/m" // comment\n\ngo 1.24\n',
            "nested/go.mod": "module example.com/n/v2\n",
            **{f"{name}/a.go": "package x\n" for name in ("a", "nested", "nested/b")},
        }
    )
    assert found() == (["example.com/m/a", "example.com/n/v2", "example.com/n/v2/b"], [])
    diagnostics = Diagnostics()
    modules = {source.path: source.module for source in find_packages(["."], diagnostics)}
    assert modules["example.com/n/v2/b"] == "example.com/n/v2"


def test_without_a_module_paths_begin_with_the_argument(tree: Tree) -> None:
    tree({"x/apis/robots/v1/a.go": "package v1\n", "y/apis/robots/v1/a.go": "package v1\n"})
    assert found("x/apis") == (["apis/robots/v1"], [])
    assert found("./x/apis/robots/v1/") == (["v1"], [])
    assert found("x/apis", "y/apis") == (["apis/robots/v1", "y/apis/robots/v1"], [])


def test_a_map_of_modules_tells_import_paths(tree: Tree) -> None:
    root = tree({"x/apis/v1/a.go": "package v1\n", "x/apis/v1/deep/a.go": "package deep\n"})
    modules = {"example.com/x": root / "x", "example.com/deep": root / "x/apis/v1/deep"}
    assert found("x", modules=modules)[0] == ["example.com/deep", "example.com/x/apis/v1"]


def test_one_directory_named_twice_is_read_once(tree: Tree) -> None:
    root = tree(MODULE | {"a/a.go": "package x\n"})
    (root / "link").symlink_to("a")
    assert found(".", "a", "a/a.go", "link") == (["example.com/m/a"], [])


def test_one_import_path_in_two_directories(tree: Tree) -> None:
    tree({f"{name}/{file}": text for name in "ab" for file, text in {**MODULE, "x.go": "package x\n"}.items()})
    paths, problems = found("b", "a")
    assert paths == ["example.com/m"]
    assert [(code, place) for code, place, _ in problems] == [("VG902", "a")]


@pytest.mark.parametrize(
    ("files", "name", "read"),
    [
        ({"a.go": "x", "b.go": "y", "c.go": "y"}, "y", ["b.go", "c.go"]),
        ({"a.go": "x", "b.go": "y", "c.go": "y", "doc.go": "x"}, "x", ["a.go", "doc.go"]),
        ({"a.go": "main", "b.go": "y"}, "y", ["b.go"]),
        ({"a.go": "b", "b.go": "a"}, "a", ["b.go"]),
    ],
)
def test_several_packages_in_a_directory(tree: Tree, files: dict[str, str], name: str, read: list[str]) -> None:
    tree(MODULE | {file: f"package {package}\n" for file, package in files.items()})
    diagnostics = Diagnostics()
    (source,) = find_packages(["."], diagnostics)
    assert (source.name, [file.name for file in source.files]) == (name, read)
    assert [item.severity.value for item in diagnostics.items] == ["warning"]


def test_the_argument_decides_between_packages(tree: Tree) -> None:
    tree(MODULE | {"a.go": "package x\n", "b.go": "package y\n", "c.go": "package y\n"})
    (source,) = find_packages(["a.go"], Diagnostics())
    assert source.name == "x"


def test_files_that_are_no_part_of_the_package(tree: Tree) -> None:
    tree(
        MODULE
        | {
            "a.go": "package x\n",
            "external.go": "package x_test\n",
            "notes.go": "package documentation\n",
            "gen.go": "//go:build ignore\n\npackage main\n",
        }
    )
    diagnostics = Diagnostics()
    (source,) = find_packages(["."], diagnostics)
    assert [file.name for file in source.files] == ["a.go"]
    assert diagnostics.items == []


@pytest.mark.parametrize(
    ("head", "ignored"),
    [
        ("//go:build ignore\n", True),
        ("// Copyright\n\n//go:build ignore && linux\r\n\n/* x */", True),
        ("// +build ignore\n\n", True),
        ("//go:build !ignore\n", False),
        ("//go:build ignore || linux\n", False),
        ("//go:build linux\n", False),
        ("//go:build !ignore_autogenerated\n", False),
        ("/*\nxx //go:build ignore\n*/", False),
        ("", False),
    ],
)
def test_build_constraints(head: str, ignored: bool) -> None:
    assert is_ignored(f"{head}package p\n//go:build ignore\n") is ignored


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("missing", "there is no file or directory `missing`"),
        ("missing.go", "there is no file or directory `missing.go`"),
        ("missing/...", "there is no file or directory `missing/...`"),
        ("empty", "no Go files are in or below `empty`, nor Python files with tags"),
        ("text", "no Go files are in or below `text`, nor Python files with tags"),
        ("text/a.txt", "`text/a.txt` is neither a directory nor a Go or Python file"),
        ("a\0b", "there is no file or directory `a\0b`"),
    ],
)
def test_nothing_to_read(tree: Tree, argument: str, message: str) -> None:
    root = tree(MODULE | {"text/a.txt": "x", "text/a_test.go": "package p\n"})
    (root / "empty").mkdir()
    assert found(argument) == ([], [("VG902", argument, message)])


def test_a_file_without_package_clause(tree: Tree) -> None:
    tree(MODULE | {"a.go": "package x\n", "b.go": "// nothing\n", "c/c.go": ""})
    diagnostics = Diagnostics()
    sources = find_packages(["."], diagnostics)
    assert [(source.name, source.broken) for source in sources] == [("x", True), ("c", True)]
    assert [(i.code, str(i.span)) for i in diagnostics.sorted()] == [("VG101", "b.go:1:1"), ("VG101", "c/c.go:1:1")]


def test_places_outside_of_the_current_directory(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(MODULE | {"a/a.go": "package x\n", "b/b.go": "package x\n"})
    monkeypatch.chdir(root / "a")
    (source,) = find_packages(["../b"], Diagnostics())
    assert (source.directory, source.files[0].display) == (f"{root.as_posix()}/b", f"{root.as_posix()}/b/b.go")
    assert source.path == "example.com/m/b"
