"""`validation-gen cel test`, as people run it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke
from tests.tables import each
from validation_gen.commands.cel.suites.reading import schema

DOCS = Path(__file__).parents[2] / "docs"
ARM: dict[str, Any] = {
    "type": "object",
    "properties": {"reach": {"type": "integer"}},
    "x-kubernetes-validations": [{"rule": "self.reach > 0", "message": "reach is 1 at least", "fieldPath": ".reach"}],
}
SPEC: dict[str, Any] = {
    "type": "object",
    "properties": {"most": {"type": "integer"}, "arms": {"type": "array", "maxItems": 9, "items": ARM}},
    "x-kubernetes-validations": [
        {"rule": "self.arms.all(a, a.reach <= self.most)", "message": "no arm reaches farther than most"},
        {"rule": "self.most >= oldSelf.most", "message": "most only grows", "reason": "FieldValueForbidden"},
    ],
}
MISTYPED = 'spec.most: Invalid value: "string": spec.most in body must be of type integer: "string"'
UNTYPED = "ERROR: <input>:1:5: type 'int' does not support field selection"
OWN = """\
schema: {type: object, properties: {a: {type: integer}, b: {type: integer}}}
rules:
  - {rule: self.a < self.b, message: a is below b, fieldPath: .a}
cases:
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("crd.yaml").write_text(yaml.safe_dump(definition(root(SPEC))), encoding="utf-8")
    return tmp_path


def spec(most: int, *reaches: int) -> dict[str, Any]:
    return {"spec": {"most": most, "arms": [{"reach": reach} for reach in reaches]}}


def run(*args: str) -> tuple[int, str, str]:
    result = invoke(["cel", "test", *args])
    return result.exit_code, result.stdout, result.stderr


def tried(*cases: dict[str, Any], **more: Any) -> tuple[int, str, str]:
    """What is told of cases about the definition."""
    Path("a.celtest.yaml").write_text(yaml.safe_dump({"crd": "crd.yaml", **more, "cases": [*cases]}), encoding="utf-8")
    return run("a.celtest.yaml")


def problems(*cases: dict[str, Any], **more: Any) -> list[str]:
    """In what the cases are not as expected."""
    code, out, err = tried(*cases, **more)
    assert code in (0, 1), err
    return [line.strip() for line in out.splitlines() if line.startswith("    ")]


def refused(text: str) -> list[str]:
    """What is wrong with a file."""
    Path("a.celtest.yaml").write_text(text, encoding="utf-8")
    code, _, err = run("a.celtest.yaml", "--format", "concise")
    assert code == 2
    return [line.partition(": error ")[2] for line in err.splitlines()[:-1]]


# --- verdicts ---------------------------------------------------------------------------------------------------------


@each(
    "case",
    [
        {"object": spec(5, 4), "valid": True},
        {"object": spec(5, 7), "valid": False},
        {"object": spec(5, 7), "errors": [{"path": "spec", "message": "no arm reaches farther than most"}]},
        {"object": spec(5, 7), "errors": [{"contains": "farther", "type": "Invalid"}]},
        {"object": spec(5, 7), "errors": [{"type": "FieldValueInvalid", "path": ".spec"}]},
        {"object": spec(5, 0, 7), "errors": [{"contains": "a"}, {"contains": "farther"}]},
        {"object": spec(5, 0, 7), "errors": [{"path": "spec.arms[0].reach"}], "at": ".spec.arms[*]"},
        {"object": spec(5, 7), "at": ".spec.arms", "valid": True},
        {"object": spec(5, 7, 0), "at": "spec.arms[1]", "errors": [{"contains": "reach is"}]},
        {"object": spec(5, 7, 0), "at": "spec.arms[0]", "valid": True},
        {"object": spec(5, 7), "old": spec(5, 7), "valid": True, "warnings": [{"contains": "farther than most"}]},
        {"object": spec(4), "old": spec(5), "errors": [{"type": "Forbidden", "message": "most only grows"}]},
        {"object": spec(5, 4), "cost": {"most": 100}},
        {"object": {"spec": {"most": "x"}}, "errors": [{"path": "spec.most", "type": "TypeInvalid"}]},
        {"object": {"spec": {"mots": 1}}, "errors": [{"type": "BadRequest", "contains": 'unknown field "spec.mots"'}]},
        {"object": robot({"most": 1, "arms": []}), "valid": True},
        {"object": spec(5) | {"metadata": {"name": "A"}}, "errors": [{"path": "metadata.name"}]},
        {"rule": "self.reach > 1", "at": ".spec.arms[*]", "value": {"reach": 2}, "valid": True},
        {"rule": "self.reach > 1", "at": ".spec.arms[*]", "value": {"reach": 1}, "valid": False},
        {
            "rule": "self.reach > oldSelf.reach",
            "at": "spec.arms[0]",
            "object": spec(1, 3),
            "old": spec(1, 2),
            "valid": True,
        },
        {
            "rule": "self.reech > 1",
            "at": "spec.arms[*]",
            "value": {},
            "errors": [{"contains": "undefined field 'reech'"}],
        },
        {"expression": "self.arms.map(a, a.reach)", "at": ".spec", "object": spec(1, 2, 3), "result": [2, 3]},
        {"expression": "1 / self.most", "at": ".spec", "object": spec(0), "errors": [{"message": "division by zero"}]},
        {"expression": "self", "at": ".spec.most", "value": 3, "result": 3, "cost": {"most": 1}},
        {"rule": "oldSelf.hasValue()", "at": ".spec.most", "value": 3, "optionalOldSelf": True, "valid": False},
    ],
)
def test_cases_that_pass(here: Path, case: dict[str, Any]) -> None:
    assert problems(case) == []


@each(
    ("case", "wanted"),
    [
        ({"object": spec(5, 4), "valid": False}, ["it is valid, and should not be"]),
        (
            {"object": spec(5, 7), "valid": True},
            ["there and not expected: spec: Invalid value: no arm reaches farther than most"],
        ),
        (
            {"object": spec(5, 4), "errors": [{"path": "spec", "type": "Invalid", "message": "no"}]},
            ["expected and not there: spec: Invalid: no"],
        ),
        (
            {"object": spec(5, 7), "errors": []},
            ["there and not expected: spec: Invalid value: no arm reaches farther than most"],
        ),
        ({"object": spec(5), "warnings": [{"contains": "x"}]}, ["expected and not there: Warning: … x …"]),
        (
            {"object": {"spec": {"mots": 1}}, "at": ".spec.arms", "valid": True},
            ['there and not expected: BadRequest: unknown field "spec.mots"'],
        ),
        (
            {"object": {"spec": {"most": "x"}}, "at": ".spec.arms", "valid": True},
            [f"there and not expected: {MISTYPED}"],
        ),
        (
            {"object": {"spec": {"mots": 1}}, "valid": False},
            ['there, and only expected if it is one of `errors`: BadRequest: unknown field "spec.mots"'],
        ),
        (
            {"rule": "self.a", "at": ".spec.most", "value": 1, "valid": False},
            [f"there, and only expected if it is one of `errors`: {UNTYPED}"],
        ),
        ({"object": spec(5, 4), "cost": {"most": 3}}, ["the cost is 14, and should be at most 3"]),
        ({"object": {"kind": "Arm"}, "valid": True}, ["it is not judged: Arm in example.com/v1 is not defined"]),
        ({"object": 5, "valid": True}, ["it is not judged: it is not an object"]),
        (
            {"rule": "self > 1", "at": ".spec.most", "value": 1, "valid": True},
            ["there and not expected: failed rule: self > 1"],
        ),
        (
            {"expression": "self + 1", "at": ".spec.most", "value": 1, "result": True},
            ["expected the result true", "it is 2"],
        ),
        (
            {"rule": "self", "at": ".spec.most", "value": 1, "valid": True},
            ["there and not expected: it is no rule: self"],
        ),
    ],
)
def test_cases_that_fail(here: Path, case: dict[str, Any], wanted: list[str]) -> None:
    assert problems(case) == wanted
    assert tried(case)[0] == 1


def test_errors_find_each_other_in_any_order(here: Path) -> None:
    wide, narrow = {"contains": "e"}, {"contains": "reach is"}
    assert problems({"object": spec(5, 7, 0), "errors": [wide, narrow]}) == []
    assert problems({"object": spec(5, 7, 0), "errors": [narrow, narrow]}) == [
        "expected and not there: … reach is …",
        "there and not expected: spec: Invalid value: no arm reaches farther than most",
    ]


def test_rules_of_the_file(here: Path) -> None:
    cases = """\
  - {value: {a: 1, b: 2}, valid: true}
  - {value: {a: 3, b: 2}, errors: [{path: a, message: a is below b}]}
  - {value: {a: x, b: 2}, errors: [{path: a, type: TypeInvalid}]}
  - {rule: self.a == 1, value: {a: 1}, valid: true}
  - {value: {a: 3, b: 2}, valid: true}
"""
    Path("own.celtest.yaml").write_text(OWN + cases, encoding="utf-8")
    code, out, _ = run("own.celtest.yaml")
    assert (code, out.splitlines()) == (
        1,
        [
            "own.celtest.yaml:9:5: case 5: failed",
            "    there and not expected: a: Invalid value: a is below b",
            "1 of 1 rule covered (100%)",
            "5 cases: 4 passed, 1 failed",
        ],
    )


def test_types_are_guessed_where_nobody_declares_them(here: Path) -> None:
    text = "cases: [{expression: 'self.a + 1', value: {a: 2}, result: 3}]"
    Path("free.celtest.yaml").write_text(text, encoding="utf-8")
    assert run("free.celtest.yaml")[:2] == (0, "1 case: 1 passed, 0 failed\n")


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cases: [{value: 1, rule: self > 0, vaild: true}]", "VG912 a case has no key vaild (did you mean valid?)"),
        ("crd: crd.yaml", "VG912 a file needs cases (add `cases:`: Inputs with the expected answers.)"),
        ("[]", "VG912 the document is not a file (write a file with crd,"),
        ("cases: {}", "VG912 cases is not a list (write a list, with `- ` before each case)"),
        ("cases: []", "VG912 there are no cases"),
        ("cases: [{value: 1, rule: self > 0}]", "VG912 the case has no expectation"),
        ("cases: [{rule: self > 0, valid: true}]", "VG912 the case has no input (add `value:`"),
        ("cases: [{object: 1, valid: true}]", "VG912 there is no definition and no rule (add `crd:`"),
        ("cases: [{value: 1, rule: 5, valid: true}]", "VG912 cases[0].rule is not a text (write a text)"),
        ("cases: [{value: 1, rule: a, cost: {most: -1}}]", "VG912 cases[0].cost.most is not a whole number"),
        ("cases: [{value: 1, rule: a, expression: b, valid: true}]", "VG912 the case has rule and expression"),
        ("cases: [{value: 1, expression: a, valid: true}]", "VG912 valid does not apply to an expression"),
        ("cases: [{value: 1, rule: a, result: true}]", "VG912 result is for an expression"),
        (
            "cases: [{value: 1, rule: a, errors: [{type: Requird}]}]",
            "VG912 there is no type Requird (did you mean Requi",
        ),
        ("cases: [{value: 1, rule: a, errors: [{}]}]", "VG912 it has no expectation"),
        ("cases: [{value: 1, rule: a, valid: true, errors: [{path: b}]}]", "VG912 the case is valid and has errors"),
        (
            "crd: crd.yaml\nschema: {}\ncases: [{object: {}, valid: true}]",
            "VG912 a file has a crd or a schema, not both",
        ),
        ("version: v1\ncases: [{rule: a, value: 1, valid: true}]", "VG912 version needs crd"),
        ("crd: none.yaml\ncases: [{object: {}, valid: true}]", "VG912 none.yaml cannot be read: No such file"),
        ("crd: .\ncases: [{object: {}, valid: true}]", "VG912 . cannot be read: Is a directory"),
        (
            "crd: ''\ncases: [{object: {}, valid: true}]",
            "VG912  cannot be read: it is not a path relative to this file",
        ),
        (
            "crd: /dev/zero\ncases: [{object: {}, valid: true}]",
            "VG912 /dev/zero cannot be read: it is not a path relative",
        ),
        ("crd: ../crd.yaml\ncases: [{object: {}, valid: true}]", "VG912 ../crd.yaml cannot be read: it leads out of "),
        ("crd: link\ncases: [{object: {}, valid: true}]", "VG912 link cannot be read: it leads out of "),
        ('crd: "a\\0b"\ncases: [{object: {}, valid: true}]', "VG912 a\\x00b cannot be read: "),
        ("crd: a.celtest.yaml\ncases: [{object: {}, valid: true}]", "VG912 a.celtest.yaml has 0 definitions, not one"),
        ("crd: two.yaml\ncases: [{object: {}, valid: true}]", "VG912 two.yaml has 2 definitions, not one (add `kind:`"),
        (
            "crd: two.yaml\nkind: Arm\ncases: [{object: {}, valid: true}]",
            "VG912 two.yaml has no definition of Arm (it has",
        ),
        ("crd: crd.yaml\nversion: v2\ncases: [{object: {}, valid: true}]", "VG912 the definition does not serve v2"),
        ("crd: wrong.yaml\ncases: [{object: {}, valid: true}]", "VG508 spec.validation.openAPIV3Schema.x-kubern"),
        ("crd: crd.yaml\ncases: [{file: two.yaml, valid: true}]", "VG912 two.yaml has 2 objects, not one"),
        ("crd: crd.yaml\ncases: [{object: {}, at: .nope, valid: true}]", "VG912 the schema has nothing at .nope"),
        ("schema: {type: strin}\ncases: [{value: 1, valid: true}]", "VG502 schema.type: "),
        ("schema: {type: string}\nrules: [{rule: self >}]\ncases: [{value: 1, valid: true}]", "VG508 schema.x-kuberne"),
        ("a: [", "VG905 "),
        ("", "VG912 there are no tests here (write `cases:` with a list of cases)"),
    ],
)
def test_mistakes_in_files(here: Path, text: str, wanted: str) -> None:
    twice = yaml.safe_dump_all([definition(root(SPEC)), definition(root(SPEC))])
    Path("two.yaml").write_text(twice, encoding="utf-8")
    wrong = definition({"type": "object", "x-kubernetes-validations": [{"rule": "self.x"}]})
    Path("wrong.yaml").write_text(yaml.safe_dump(wrong), encoding="utf-8")
    outside = here.parent / "outside.yaml"
    outside.write_text(yaml.safe_dump(definition()), encoding="utf-8")
    Path("link").symlink_to(outside)
    found = refused(text)
    assert any(each.startswith(wanted) for each in found), found


def test_mistakes_have_their_place(here: Path) -> None:
    Path("a.celtest.yaml").write_text(f"{OWN}  - {{value: {{}}, vaild: yes}}\n", encoding="utf-8")
    _, _, err = run("a.celtest.yaml", "--format", "concise")
    assert [line.partition(": error")[0] for line in err.splitlines()[:-1]] == ["a.celtest.yaml:5:24"]


def test_a_wrong_definition_that_several_files_test(here: Path) -> None:
    wrong = definition({"type": "object", "x-kubernetes-validations": [{"rule": "self.x"}]})
    Path("wrong.yaml").write_text(yaml.safe_dump(wrong), encoding="utf-8")
    text = "crd: wrong.yaml\ncases: [{object: {}, valid: true}]\n"
    for name in "ab":
        Path(f"{name}.celtest.yaml").write_text(f"{text}---\n{text}", encoding="utf-8")
    code, _, err = run(".", "--format", "concise")
    assert (code, err.count("VG508"), err.count("the definition in wrong.yaml is wrong")) == (2, 1, 3)


def test_directories(here: Path) -> None:
    Path("deep/er").mkdir(parents=True)
    text = yaml.safe_dump({"crd": "../../crd.yaml", "cases": [{"object": spec(1), "valid": True}]})
    Path(".git").mkdir()
    Path("deep/er/one.celtest.yaml").write_text(text, encoding="utf-8")
    assert run(".")[1].endswith("1 case: 1 passed, 0 failed\n")
    Path("none").mkdir()
    code, _, err = run("none", "--format", "concise")
    assert (code, "VG902 there are no tests here" in err) == (2, True)
    assert run("gone.celtest.yaml")[0] == 2


def test_pipes_are_not_waited_for(here: Path) -> None:
    os.mkfifo("pipe.celtest.yaml")
    os.mkfifo("pipe")
    assert "VG902 there are no tests here" in run(".", "--format", "concise")[2]
    assert "VG912 pipe cannot be read: it is a pipe" in refused("crd: pipe\ncases: [{object: {}, valid: true}]")[0]


def test_only_a_project_is_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a work tree, it is the directory where we are, but not where a person lives."""
    Path("tests").mkdir()
    text = yaml.safe_dump({"crd": "../crd.yaml", "cases": [{"object": spec(1), "valid": True}]})
    Path("tests/a.celtest.yaml").write_text(text, encoding="utf-8")
    assert run("tests")[0] == 0
    monkeypatch.setenv("HOME", str(here))
    code, out, err = run("tests", "--format", "concise")
    assert (code, out, "it leads out of " in err) == (2, "", True)
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.chdir("tests")
    assert run("a.celtest.yaml")[0] == 2


def test_the_least_coverage_is_a_number(here: Path) -> None:
    for wrong in ("nan", "101", "-1", "x"):
        assert run("a.celtest.yaml", f"--min-coverage={wrong}")[0] == 2


def test_one_wrong_file_does_not_hide_the_others(here: Path) -> None:
    Path("a.celtest.yaml").write_text("cases: 3\n", encoding="utf-8")
    Path("b.celtest.yaml").write_text(OWN + "  - {value: {a: 1, b: 1}, valid: true}\n", encoding="utf-8")
    code, out, _ = run(".", "--min-coverage", "100")
    assert (code, out.splitlines()[-1]) == (2, "1 case: 0 passed, 1 failed")


# --- coverage ---------------------------------------------------------------------------------------------------------


def test_rules_that_no_case_sees(here: Path) -> None:
    code, out, _ = tried({"object": spec(5, 4), "valid": True})
    assert (code, [line.partition(": ")[2] for line in out.splitlines()[:3]]) == (
        0,
        [
            "no case reaches this rule: .spec: self.most >= oldSelf.most",
            "no case sees this rule fail: .spec: self.arms.all(a, a.reach <= self.most)",
            "no case sees this rule fail: .spec.arms[*]: self.reach > 0",
        ],
    )
    assert out.splitlines()[3] == "0 of 3 rules covered (0%)"


def test_the_least_coverage(here: Path) -> None:
    case = {"object": spec(5, 4, 0, 7), "errors": [{"path": "spec"}, {"path": "spec.arms[1].reach"}]}
    tried(case, {"object": spec(5), "valid": True})
    assert run("a.celtest.yaml", "--min-coverage", "66")[0] == 0
    code, out, _ = run("a.celtest.yaml", "--min-coverage", "67")
    assert (code, out.splitlines()[-2]) == (1, "2 of 3 rules covered (67%), and at least 67% is wanted")
    _, out, _ = run("a.celtest.yaml", "--min-coverage", "67", "--format", "github")
    assert "VG811" in out


def test_files_that_test_one_definition_cover_it_together(here: Path) -> None:
    tried({"object": spec(5, 4), "valid": True})
    Path("a.celtest.yaml").rename("b.celtest.yaml")
    tried({"object": spec(5, 0), "valid": False})
    assert "1 of 3 rules covered (33%)" in run(".")[1]


# --- formats ----------------------------------------------------------------------------------------------------------


def test_formats(here: Path) -> None:
    tried({"name": "good", "object": spec(5, 4), "valid": True}, {"name": "bad", "object": spec(5, 4), "valid": False})
    code, out, _ = run("a.celtest.yaml", "--format", "json")
    told = json.loads(out)
    assert (code, [each["status"] for each in told["cases"]]) == (1, ["passed", "failed"])
    assert told["summary"] == {"cases": 2, "passed": 1, "failed": 1, "rules": 3, "covered": 0, "percent": 0.0}
    suite = ET.fromstring(run("a.celtest.yaml", "--format", "junit")[1]).find("testsuite")
    assert suite is not None
    assert [(case.get("name"), len(case)) for case in suite.iter("testcase")] == [("good", 0), ("bad", 1)]
    log = json.loads(run("a.celtest.yaml", "--format", "sarif")[1])
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["VG810"]
    assert "VG810" in run("a.celtest.yaml", "--format", "github")[1]
    assert "error VG810 bad: it is valid, and should not be" in run("a.celtest.yaml", "--format", "concise")[1]


def test_the_schema_for_editors(here: Path) -> None:
    assert json.loads((DOCS / "celtest.schema.json").read_text(encoding="utf-8")) == schema(), "run make docs"
    jsonschema.Draft7Validator.check_schema(schema())
    judge = jsonschema.Draft7Validator(schema())
    assert judge.is_valid(yaml.safe_load(OWN + "  - {value: {a: 1}, valid: true}"))
    assert not judge.is_valid(yaml.safe_load(OWN + "  - {value: {a: 1}, vaild: true}"))
    assert not judge.is_valid(yaml.safe_load(OWN + "  - {value: {a: 1}}"))
    result = invoke(["cel", "schema"])
    assert json.loads(result.stdout) == schema()
