"""By what validators judge, as people choose it, and what commands make of rules that a schema has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.mismatch.test_comparison import SINCE_1_36, hand, sides
from tests.program import invoke
from validation_gen.commands.edgecases.cases import boundary_cases
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.compiler.settings import RuleSource
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

TYPES = """\
// +groupName=fleet.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +k8s:maximum=3
	Size int32 `json:"size"`
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	// +kubebuilder:validation:XValidation:rule="self != 'no'",message="no is no name"
	Name string `json:"name,omitempty"`
}
"""
SIZE = "size: Invalid value: 9: must be less than or equal to 3"
PATTERN = "name: Invalid value: \"A\": name in body should match '^[a-z]+$'"
NO_NAME = 'name: Invalid value: "no": no is no name'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("v1").mkdir()
    Path("v1/types.go").write_text(TYPES, encoding="utf-8")
    return tmp_path


def run(*args: str, stdin: str | None = None) -> tuple[int, str]:
    result = invoke([*args], stdin)
    return result.exit_code, result.output


def a_robot(**parts: Any) -> dict[str, Any]:
    return {"apiVersion": "fleet.example.com/v1", "kind": "Robot", "metadata": {"name": "a"}, **parts}


def manifest(**parts: Any) -> str:
    Path("a.json").write_text(json.dumps(a_robot(**parts)), encoding="utf-8")
    return "a.json"


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ((), [SIZE, PATTERN]),
        (("--rules", "all"), [SIZE, PATTERN]),
        (("--rules", "tags"), [SIZE]),
        (("--rules", "schema"), ["size: Invalid value: 9: size in body should be less than or equal to 3", PATTERN]),
    ],
)
def test_validate_judges_as_validators_do(chosen: tuple[str, ...], told: list[str]) -> None:
    code, output = run("validate", "v1", "-f", manifest(size=9, name="A"), "--format", "json", *chosen)
    assert code == 1
    errors = [error["message"] for error in json.loads(output)[0]["errors"]]
    assert sorted(error for error in errors if not error.startswith("<nil>")) == sorted(told)


def test_a_rule_in_cel_is_judged() -> None:
    code, output = run("validate", "v1", "-f", manifest(size=1, name="no"))
    assert code == 1
    assert NO_NAME in output
    assert "judged by the schema" not in output
    assert run("validate", "v1", "-f", manifest(size=1, name="yes"))[0] == 0


def test_what_is_not_judged_is_still_said() -> None:
    code, output = run("validate", "v1", "-f", manifest(size=1), "--rules", "tags")
    assert code == 0
    assert "1 marker, 1 CEL rule and unknown fields are judged by the schema of `crd` only" in output


def test_lint_counts_what_validators_do_not_judge() -> None:
    assert "judged by the schema" not in run("lint", "v1")[1]
    other = '\ntype Loose struct {\n	// +kubebuilder:validation:Minimum=1\n	A int32 `json:"a"`\n}\n'
    Path("v1/types.go").write_text(TYPES + other, encoding="utf-8")
    assert "1 marker and unknown fields are judged by the schema of `crd` only" in run("lint", "v1")[1]
    assert "1 marker and unknown fields are judged by the schema of `crd` only" in run("v1", "-o", "out")[1]


def test_the_configuration_chooses_rules() -> None:
    Path("validation-gen.toml").write_text('rules = "tags"\n', encoding="utf-8")
    assert run("validate", "v1", "-f", manifest(size=1, name="A"))[0] == 0
    Path("validation-gen.toml").write_text('[generate]\nrules = "tags"\n', encoding="utf-8")
    assert run("generate", "v1", "-o", "out")[0] == 0
    assert not list(Path("out").rglob("*schemas.py"))
    assert run("generate", "v1", "-o", "out", "--rules", "all")[0] == 0
    assert list(Path("out").rglob("*schemas.py"))
    Path("validation-gen.toml").write_text('[generate]\nrules = "some"\n', encoding="utf-8")
    code, output = run("generate", "v1", "-o", "out")
    assert code != 0
    assert "VG906" in output


def test_other_words_are_refused() -> None:
    code, output = run("generate", "v1", "--rules", "some")
    assert code == 2
    assert "'tags'" in output


def test_results_of_another_choice_are_not_kept_ones(here: Path) -> None:
    place = ["--cache-dir", str(here / "cache")]
    for chosen, number in ((), 1), (("--rules", "tags"), 0), ((), 1):
        assert run("generate", "v1", "-o", "out", *place, *chosen)[0] == 0
        assert len(list(Path("out").rglob("*schemas.py"))) == number
    assert run("check", "v1", "-o", "out", *place)[0] == 0
    assert run("check", "v1", "-o", "out", *place, "--rules", "tags")[0] == 1


def test_definitions_are_written_in_the_same_run() -> None:
    code, output = run("generate", "v1", "-o", "out", "--emit", "crd")
    assert code == 0
    assert "1 definition: 1 written" in output


def test_programs_are_answered_by_the_schema_too() -> None:
    line = json.dumps({"id": 1, "kind": "Robot", "obj": a_robot(size=9, name="A")})
    code, output = run("webhook", "stdio", "v1", stdin=f"{line}\n")
    assert code == 0
    (answer,) = map(json.loads, output.splitlines())
    assert [error["message"] for error in answer["errors"]][:2] == [SIZE, PATTERN]
    huge = line.replace('"size": 9', '"size": 1e999')
    ((error, *_),) = (
        json.loads(each)["errors"] for each in run("webhook", "stdio", "v1", stdin=f"{huge}\n")[1].splitlines()
    )
    assert (error["field"], error["type"]) == ("size", "FieldValueTypeInvalid")


def test_a_replay_names_the_schema() -> None:
    code, output = run("explain", "v1", "-f", manifest(size=9, name="A"))
    assert code == 1
    assert f"failed  (schema)\n          {PATTERN}" in output


# --- whoever is compared with tags ------------------------------------------------------------------------------------

HAND = """\
from validation_gen.runtime.errors import FieldError


def check(obj, old=None):
    if obj.get("size", 0) > 3:
        return [FieldError.invalid("size", obj["size"], "too much").with_origin("maximum")]
    return []
"""


def test_handwritten_validation_is_not_told_of_what_a_schema_says() -> None:
    Path("hand.py").write_text(HAND, encoding="utf-8")
    sided = ["compare", "v1", "--handwritten", "python:hand:check", "--jobs", "1"]
    code, output = run(*sided, "-f", manifest(size=9, name="A"))
    assert (code, "no mismatches" in output) == (0, True), output
    Path("lenient.py").write_text(HAND.replace("> 3", "> 4"), encoding="utf-8")
    sided[3] = "python:lenient:check"
    code, output = run(*sided, "-f", manifest(size=4, name="A"))
    assert code == 1
    assert "+k8s:maximum=3" in output
    assert PATTERN not in output.partition("declarative:")[0]


def test_an_error_of_the_schema_can_be_a_counterpart() -> None:
    ours = FieldError.at("a", ErrorType.INVALID, "x", "must match").with_origin("maximum")
    ours.marks = frozenset({Mark.SCHEMA})
    assert sides(SINCE_1_36, [], [ours]) == []
    assert sides(SINCE_1_36, [hand()], [ours]) == []
    assert sides(SINCE_1_36, [hand("b")], [ours]) == ["handwritten"]


def test_edge_cases_are_those_of_tags() -> None:
    def cases(rules: RuleSource) -> list[tuple[str, object, object]]:
        program = build_program(Settings(("v1",), rules=rules)).program
        return [
            (case.rule.tag, case.failing, case.passing) for case in boundary_cases(program, load_validators(program))
        ]

    text = TYPES.replace(
        "	// +kubebuilder:validation:P", "	// +kubebuilder:validation:Required\n	// +kubebuilder:validation:P"
    )
    Path("v1/types.go").write_text(text, encoding="utf-8")
    assert [each[0] for each in cases(RuleSource.ALL)] == ["+k8s:maximum=3"]
    assert cases(RuleSource.ALL) == cases(RuleSource.TAGS)


def test_tests_need_not_trigger_what_a_schema_says() -> None:
    seen = {"kind": "Robot", "apiVersion": "fleet.example.com/v1"}
    error = {"type": "FieldValueInvalid", "field": "size", "origin": "maximum"}
    Path("seen.jsonl").write_text(json.dumps({**seen, "errors": [error]}) + "\n", encoding="utf-8")
    code, output = run("coverage", "v1", "--tests", "seen.jsonl")
    assert code == 0, output
