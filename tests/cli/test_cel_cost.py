"""`validation-gen cel cost`, as people run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke
from tests.tables import each

ARMS_RULE = "self.arms.all(a, a.reach <= self.most)"
GROWS = "self.most >= oldSelf.most"
POSITIVE = "self.reach > 0"
NEW = robot({"most": 5, "arms": [{"reach": 3}, {"reach": 4}]})


def spec(**arms: Any) -> dict[str, Any]:
    """A schema whose list of arms has these limits."""
    arm = {
        "type": "object",
        "properties": {"reach": {"type": "integer"}, "name": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": POSITIVE}],
    }
    return {
        "type": "object",
        "properties": {"most": {"type": "integer"}, "arms": {"type": "array", "items": arm, **arms}},
        "x-kubernetes-validations": [{"rule": ARMS_RULE}, {"rule": GROWS}],
    }


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("crd.yaml", definition(root(spec(maxItems=8))))
    write("new.yaml", NEW)
    return tmp_path


def write(name: str, *objects: Any) -> None:
    Path(name).write_text(yaml.safe_dump_all(objects), encoding="utf-8")


def run(*args: str) -> tuple[int, str, str]:
    result = invoke(["cel", "cost", "--crd", "crd.yaml", *args])
    return result.exit_code, result.stdout, result.stderr


def told(*args: str) -> Any:
    return json.loads(run(*args, "--format", "json")[1])


def test_all_rules_of_a_definition(here: Path) -> None:
    code, out, _ = run()
    assert (code, out.splitlines()) == (
        0,
        [
            "1.25 to 1.37: at most 96 of 100000000 (0.00%)",
            f"  67 of 10000000 (0.00%), 70% of all: .spec: {ARMS_RULE}",
            f"  24 of 10000000 (0.00%), 25% of all: .spec.arms[*]: {POSITIVE}",
            f"  5 of 10000000 (0.00%), 5% of all: .spec: {GROWS}",
        ],
    )


def test_missing_limits(here: Path) -> None:
    write("crd.yaml", definition(root(spec())))
    rules = told()["estimates"][0]["rules"]
    limits = {each["rule"]: each["missingLimits"]["limits"] for each in rules}
    costs = {each["rule"]: each["cost"] for each in rules}
    assert [(each["place"], each["keyword"]) for each in limits[ARMS_RULE]] == [(".spec.arms", "maxItems")]
    assert [(each["place"], each["keyword"]) for each in limits[POSITIVE]] == [(".spec.arms", "maxItems")]
    assert limits[GROWS] == []
    write("crd.yaml", definition(root(spec(maxItems=1))))
    least = {each["rule"]: each["cost"] for each in told()["estimates"][0]["rules"]}
    assert limits[POSITIVE][0]["factor"] == round(costs[POSITIVE] / least[POSITIVE], 1)


def test_limits_above_and_below(here: Path) -> None:
    inner = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}
    rule = [{"rule": "self.all(k, self[k].all(s, s.contains('a')))"}]
    part = {"type": "array", "items": {**inner, "x-kubernetes-validations": rule}}
    write("crd.yaml", definition(root(part)))
    limits = told()["estimates"][0]["rules"][0]["missingLimits"]["limits"]
    assert {(each["place"], each["keyword"]) for each in limits} == {
        (".spec", "maxItems"),
        (".spec[*]", "maxProperties"),
        (".spec[*][*]", "maxItems"),
        (".spec[*][*][*]", "maxLength"),
    }
    assert run()[0] == 1


def test_what_an_object_costs(here: Path) -> None:
    _, out, _ = run("-f", "new.yaml")
    assert out.splitlines()[4:] == [
        "on this object: 25 of 10000000 (0.00%)",
        f"  19 in 1 evaluation, each at most 19 of 1000000 (0.00%): .spec: {ARMS_RULE}",
        f"  6 in 2 evaluations, each at most 3 of 1000000 (0.00%): .spec.arms[*]: {POSITIVE}",
        f"  not evaluated: .spec: {GROWS}",
    ]
    measured = told("-f", "new.yaml", "--old", "new.yaml")["measured"]
    assert (measured["total"], [each["evaluations"] for each in measured["rules"]]) == (30, [1, 1, 2])


def test_what_a_refused_object_costs(here: Path) -> None:
    write("new.yaml", robot({"most": 1, "arms": [{"reach": 3}]}))
    code, _, err = run("-f", "new.yaml")
    assert (code, err) == (0, f"the object is refused: spec: Invalid value: failed rule: {ARMS_RULE}\n")


def test_an_evaluation_that_costs_too_much(here: Path) -> None:
    write("new.yaml", robot({"most": 5, "arms": [{"reach": 3}] * 400}))
    write("crd.yaml", definition(root(spec())))
    args = ("self.arms.all(a, self.arms.all(b, self.arms.all(c, a == b)))", "--at", ".spec", "-f", "new.yaml")
    code, out, err = run(*args)
    assert (code, "on this object: 1000001 of 10000000 (10.00%)" in out) == (1, True), out
    assert "  stopped, as an evaluation costs more than 1000000: .spec: self" in out
    assert "actual cost limit exceeded" in err


def test_one_rule(here: Path) -> None:
    code, out, _ = run("self.arms.size() > 0", "--at", ".spec", "-f", "new.yaml")
    assert (code, out.splitlines()) == (
        0,
        [
            "1.25 to 1.37: at most 4 of 100000000 (0.00%)",
            "  4 of 10000000 (0.00%), 100% of all: .spec: self.arms.size() > 0",
            "on this object: 4 of 10000000 (0.00%)",
            "  4 in 1 evaluation, each at most 4 of 1000000 (0.00%): .spec: self.arms.size() > 0",
        ],
    )


def test_releases_that_differ(here: Path) -> None:
    code, out, _ = run("self.name.size() == 0 || ip(self.name).family() == 4", "--at", ".spec.arms[*]")
    assert (code, [line for line in out.splitlines() if line[:1] != " "]) == (
        0,
        ["1.25 to 1.30: at most 0 of 100000000 (0.00%)", "1.31 to 1.37: at most 2516648 of 100000000 (2.52%)"],
    )
    assert "  compilation failed: ERROR: <input>:1:28: undeclared reference to 'ip'" in out


def test_rules_that_are_refused(here: Path) -> None:
    code, out, _ = run("self.nope", "--at", ".spec")
    assert (code, out.splitlines()[1]) == (
        1,
        "  compilation failed: ERROR: <input>:1:5: undefined field 'nope': .spec: self.nope",
    )


def test_messages_have_a_cost(here: Path) -> None:
    part = {"type": "string", "maxLength": 10}
    rule = {"rule": "self != ''", "messageExpression": "'it is ' + self"}
    write("crd.yaml", definition(root({**part, "x-kubernetes-validations": [rule]})))
    write("new.yaml", robot(""))
    rules = told("-f", "new.yaml")
    (estimate,), (counted,) = rules["estimates"][0]["rules"], rules["measured"]["rules"]
    assert (estimate["cost"], estimate["messageCost"]) == (1, 6)
    assert rules["estimates"][0]["total"] == 7
    assert (counted["evaluations"], counted["cost"]) == (1, rules["measured"]["total"])


@each(
    ("args", "said"),
    [
        (["--at", ".spec"], "it is the place of a RULE, and none is given"),
        (["--old", "new.yaml"], "it needs the new object: add --filename"),
        (["self", "--at", ".none"], "the schema has nothing at .none"),
        (["--version", "v9"], "the definition has no version v9; it has v1"),
        (["-f", "crd.yaml"], "CustomResourceDefinition in"),
        (["-f", "list.yaml"], "it is not an object"),
        (["-f", "gone.yaml"], "cannot read"),
        (["--crd", "wrong.yaml"], "VG501"),
    ],
)
def test_mistakes(here: Path, args: list[str], said: str) -> None:
    write("list.yaml", [1])
    write("wrong.yaml", definition({"type": "object", "properties": {"a": {"items": {}}}}))
    code, _, err = run(*args)
    assert (code, said in " ".join(err.split())) == (2, True), err
