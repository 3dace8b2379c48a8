"""Names in generated modules: they are told apart, and long ones break lines as black does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import black
import pytest

from tests.case_folders import ROOT
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.emit.python.functions import FunctionEmitter
from validation_gen.emit.python.names import Names
from validation_gen.emit.python.quickconditions import is_same_on_update

_NAMES = re.compile(r"^(?:type )?\t*(\w+) (?:struct \{|string$|int32$|\[\])", re.MULTILINE)
_CLASHES = """
// +k8s:validation-gen=*
package v1

type RULES struct {
	// +k8s:maxLength=3
	// +k8s:required
	First string `json:"a-b"`
	// +k8s:maxLength=4
	// +k8s:optional
	Second string `json:"a_b,omitempty"`
	// +k8s:optional
	Third *String `json:"c,omitempty"`
	// +k8s:optional
	Fourth []string `json:"d,omitempty"`
	// +k8s:optional
	Fifth *Rules `json:"e,omitempty"`
}

type String struct {
	// +k8s:optional
	// +k8s:maxLength=1
	SHAPES string `json:"SHAPES,omitempty"`
}

type Rules struct {
	// +k8s:optional
	// +k8s:unionMember
	A *int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *int32 `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "two")
	C *int32 `json:"c,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "two")
	D *int32 `json:"d,omitempty"`
}
"""


@pytest.mark.parametrize(
    "suffix",
    [
        pytest.param("WithAName", marks=pytest.mark.thorough),
        "WithAnUncommonlyLongName",
        pytest.param("WithAnUncommonlyLongNameAsNobodyHasExceptUs", marks=pytest.mark.thorough),
    ],
)
def test_long_names_break_lines_as_black_does(tmp_path: Path, suffix: str) -> None:
    apis = Path(shutil.copytree(ROOT / "testdata" / "apis", tmp_path / "apis"))
    files = sorted(apis.rglob("*.go"))
    names = {name for file in files for name in _NAMES.findall(file.read_text(encoding="utf-8"))}
    assert len(names) > 40
    pattern = re.compile(rf"\b({'|'.join(names)})\b(?![\"\w])")
    for file in files:
        lines = file.read_text(encoding="utf-8").split("\n")
        changed = [line if line.strip().startswith("//") else pattern.sub(rf"\1{suffix}", line) for line in lines]
        file.write_text("\n".join(changed), encoding="utf-8")
    generated = build_files(build_program(Settings((str(apis),))).program)
    assert suffix in generated["robots/v1.py"]
    for path, text in generated.items():
        assert black.format_str(text, mode=black.Mode()) == text, path


def test_names_that_are_alike_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "types.go").write_text(_CLASHES, encoding="utf-8")
    registry = load_validators(build_program(Settings((str(tmp_path),))).program)
    obj: dict[str, Any] = {"a-b": "aaaa", "a_b": "aaaaa", "c": {"SHAPES": "aa"}, "e": {"a": 1, "b": 1, "c": 1, "d": 1}}
    errors = registry.validate(obj, type="RULES")
    assert [(error.field, error.tag, error.source) for error in errors] == [
        ("a-b", "+k8s:maxLength=3", "RULES.a-b"),
        ("a_b", "+k8s:maxLength=4", "RULES.a_b"),
        ("c.SHAPES", "+k8s:maxLength=1", "String.SHAPES"),
        ("e", "+k8s:unionMember", "Rules.a"),
        ("e", '+k8s:unionMember(union: "two")', "Rules.c"),
    ]


def test_what_has_one_function_would_do_the_same_on_an_update() -> None:
    program = build_program(Settings((str(ROOT / "testdata" / "apis"),))).program
    modules: dict[str, tuple[str, ...]] = {plan.package: ("m",) for plan in program.types.values()}
    seen = 0
    for plan in program.validated:
        if is_same_on_update(plan):
            create, update = (
                FunctionEmitter(Names(plan.package, program, modules), mode).function(plan) for mode in (False, True)
            )
            body = create.index("    errs: list[FieldError] | None = None")
            other = update.index("    errs: list[FieldError] | None = None")
            assert create[body:] == update[other:], plan.id
            seen += 1
    assert seen > 10
