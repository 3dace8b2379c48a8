"""Generated packages with a copy of the runtime: the same verdicts where `validation_gen` cannot be imported."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import black
import pytest

from tests.case_folders import Case, all_cases
from tests.contexts import write
from tests.thorough import THOROUGH
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.loading.generated import load_registry
from validation_gen.emit.python.vendoring import DIRECTORY, vendor_runtime
from validation_gen.kubernetes.objects.judging import BLOCKED
from validation_gen.mismatch.comparison import of_kind
from validation_gen.webhooks.validating import by_harnesses, by_validators

#: Runs requests about packages of the current directory, without modules of `site-packages`, and imports all copies.
RUN = """
import importlib, importlib.util, json, os, sys

sys.path.insert(0, os.getcwd())
assert importlib.util.find_spec("validation_gen") is None

def run(registry, type, op, obj, old, options, subresource):
    package, _, name = type.rpartition(".")
    kinds = registry.of_type(name, package)
    common = {"options": options, "subresource": subresource, "level": "alpha"}
    if type and len(kinds) == 1:
        return registry.run(kinds[0], obj, old, update=op == "update", **common)
    return registry.validate(obj, old, type=type or None, raw=True, **common)

found = []
for name, requests in json.load(sys.stdin):
    registry = importlib.import_module(name).registry
    for request in requests:
        errors = run(registry, *request)
        found.append([[str(e), e.type.value, e.origin, e.level] for e in errors])
    for above, _, files in os.walk(f"{name}/_vendored"):
        for file in files:
            if file.endswith(".py"):
                importlib.import_module(f"{above}/{file}".removesuffix(".py").replace("/", "."))
outside = {name for name in sys.modules if "." not in name and not name.startswith("_sysconfigdata")}
outside -= sys.stdlib_module_names | {"__main__"}
print(json.dumps([found, sorted(outside)]))
"""
KIND = """// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Box has rules in CEL.
// +kubebuilder:object:root=true
// +kubebuilder:validation:XValidation:rule="has(self.low) && self.low <= self.high",message="low above high"
type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:Pattern="^[a-z]+$"
	// +kubebuilder:validation:XValidation:rule="self.startsWith('b')",messageExpression="'not ' + self"
	Name string `json:"name,omitempty"`
	// +optional
	Low *int64 `json:"low,omitempty"`
	High int64 `json:"high"`
}
"""


def vendor(files: dict[str, str]) -> dict[str, str]:
    diagnostics = Diagnostics()
    found = vendor_runtime(files, diagnostics)
    assert not diagnostics.items
    return found


def judge_apart(directory: Path, requests: Iterable[tuple[str, list[list[Any]]]]) -> Any:
    """Returns the errors of requests about packages of a directory, by a Python without further modules."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN],
        input=json.dumps([*requests]),
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found, outside = json.loads(done.stdout)
    return found, outside


def judge_folders(cases: list[Case], directory: Path) -> None:
    names = {f"case_{case.name}".replace("-", "_").replace(".", "_"): case for case in cases}
    asked, wanted = [], []
    for name, case in names.items():
        write(vendor(case.files()), directory / name)
        requests = [request for request in case.requests() if not request.broken]
        asked.append((name, [[r.type, r.op, r.obj, r.old, r.options, r.subresource] for r in requests]))
        wanted += [[[e.message, e.type, e.origin, e.level] for e in r.errors] for r in requests]
    found, outside = judge_apart(directory, asked)
    assert found == wanted
    assert set(outside) <= names.keys()


FEW = ("docs-1.35", "format", "if-mode", "shape-packages", "each-key")


def test_folders_without_our_package(tmp_path: Path) -> None:
    judge_folders([case for case in all_cases() if case.name in FEW], tmp_path)


@pytest.mark.slow
def test_many_folders_without_our_package(tmp_path: Path) -> None:
    cases = [case for case in all_cases() if not case.build().diagnostics.has_errors and case.requests()]
    judge_folders(cases if THOROUGH else cases[::3], tmp_path)


def test_rules_in_cel_need_no_parser(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "types.go").write_text(KIND)
    write(vendor(build_files(build_program(Settings((str(source),))).program)), tmp_path / "boxes")
    box = {"apiVersion": "example.com/v1", "kind": "Box", "metadata": {"name": "a"}, "low": 1, "high": 2}
    objects = [box | {"name": "bc"}, box | {"name": "abc", "low": 3}, box | {"name": "1"}, box | {"low": "1"}]
    found, outside = judge_apart(tmp_path, [("boxes", [["", "create", each, None, {}, "/"] for each in objects])])
    assert [[error[0] for error in errors] for errors in found] == [
        [],
        [
            "<nil>: Invalid value: low above high",
            'name: Invalid value: "abc": not abc',
        ],
        [
            "name: Invalid value: \"1\": name in body should match '^[a-z]+$'",
            'name: Invalid value: "1": not 1',
        ],
        [
            'low: Invalid value: "string": low in body must be of type integer: "string"',
            f"<nil>: Invalid value: null: {BLOCKED}",
        ],
    ]
    assert outside == ["boxes"]


def test_copies_are_plain_and_name_none_of_our_modules(tmp_path: Path) -> None:
    """Generated text stays as black leaves it, and no import is left that needs an installed package."""
    files = next(case for case in all_cases() if case.name == "docs-1.35").files()
    copied = vendor(files)
    for name, text in copied.items():
        assert text.startswith("# Code generated by validation-gen. DO NOT EDIT.\n"), name
        if name in files:
            assert black.format_str(text, mode=black.Mode()) == text, name
        elif len(text.splitlines()) > 1:
            assert text.splitlines()[1].startswith("# Copied from validation-gen "), name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= sys.stdlib_module_names, name
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert str(node.module).partition(".")[0] in sys.stdlib_module_names, name
    assert f"{DIRECTORY}/runtime/registry.py" in copied
    assert not [name for name in copied if "fastpath" in name or "lark" in copied[name]]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("from validation_gen.runtime.errors import FieldError", "from ._vendored.runtime.errors import FieldError"),
        ("from validation_gen.runtime import errors as e", "from ._vendored.runtime import errors as e"),
        ("from validation_gen import runtime", "from ._vendored import runtime"),
        ("import validation_gen.runtime.errors as e", "from ._vendored.runtime import errors as e"),
        (
            "import os, validation_gen.runtime.errors",
            (
                "import os\nfrom ._vendored.runtime import errors as _vendored_errors\n"
                "from . import _vendored as validation_gen"
            ),
        ),
        (
            "from gettext import gettext as _\nimport validation_gen.runtime.paths",
            (
                "from gettext import gettext as _\nfrom ._vendored.runtime import paths as _vendored_paths\n"
                "from . import _vendored as validation_gen"
            ),
        ),
        (
            "def f():\n    import validation_gen.runtime.paths as p",
            "def f():\n    from ._vendored.runtime import paths as p",
        ),
        ("import validations", "import validations"),
    ],
)
def test_each_form_of_an_import(text: str, wanted: str) -> None:
    assert vendor({"custom_mine.py": f"{text}\n"})["custom_mine.py"] == f"{wanted}\n"


def test_a_module_that_cannot_be_copied_is_reported_at_the_handwritten_file() -> None:
    diagnostics = Diagnostics()
    text = "import os\nfrom validation_gen.tags.parser import parse\nimport validation_gen.nothing\n"
    vendor_runtime({"custom_mine.py": f"# Copied.\n{text}"}, diagnostics, {"custom_mine.py": ("checks/mine.py", text)})
    assert [(each.code, str(each.span), each.message) for each in diagnostics.items] == [
        ("VG206", "checks/mine.py:2:1", "the copy of the runtime has no validation_gen.tags.parser: it needs lark"),
        (
            "VG206",
            "checks/mine.py:3:1",
            "the copy of the runtime has no validation_gen.nothing: there is no such module",
        ),
    ]


def test_a_text_that_names_a_module_is_reported_at_the_handwritten_file() -> None:
    diagnostics = Diagnostics()
    text = (
        '"""validation_gen.runtime.paths"""\nimport importlib\n\nNAME = "validation_gen.runtime.paths"\n\n\n'
        'def check():\n    "validation_gen.runtime.errors"\n'
        '    return importlib.import_module("validation_gen.runtime.errors"), "validation_gen", "a validation_gen.a"\n'
    )
    vendor_runtime({"custom_mine.py": f"# Copied.\n{text}"}, diagnostics, {"custom_mine.py": ("checks/mine.py", text)})
    reason = "a name in a text is not changed as imports are"
    assert [(each.code, str(each.span), each.message) for each in diagnostics.items] == [
        (
            "VG206",
            "checks/mine.py:4:8",
            f"the copy of the runtime is not found as validation_gen.runtime.paths: {reason}",
        ),
        (
            "VG206",
            "checks/mine.py:9:36",
            f"the copy of the runtime is not found as validation_gen.runtime.errors: {reason}",
        ),
    ]


def test_webhooks_and_harnesses_refuse_a_copy(tmp_path: Path) -> None:
    files = vendor(next(case for case in all_cases() if case.name == "max-length").files())
    registry: Any = load_registry(files)
    text = r"has a copy of the runtime \(.*\._vendored\.runtime\.registry\).*; generate it with --runtime package"
    for use in (by_validators, lambda it: by_harnesses(it, {}), lambda it: of_kind(it, it.kinds[0])):
        with pytest.raises(TypeError, match=text):
            use(registry)
