"""Rules find what the API server's own tests say that they find.

Source: `validation_test.go` in `pkg/apiserver/schema/cel` of kubernetes/apiextensions-apiserver.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.cel.upstream.checkouts import APIEXTENSIONS
from tests.kubernetes.cel.upstream.gotables import GoFile, fields_of
from tests.kubernetes.cel.upstream.recorded import Recorded
from tests.kubernetes.cel.upstream.rules import compiled, correlated, run, shown
from tests.kubernetes.cel.upstream.structural import NATIVES
from tests.tables import each
from validation_gen.kubernetes.crd import expressions
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET

#: Rules that no server keeps, whose error has other words here: we read names in backquotes wherever rules are stored.
_OTHER_WORDS = {"self.true == 1": "no viable alternative at input '.true'"}


_TABLES = {
    "TestValidationExpressions": "tests",
    "TestCELMaxRecursionDepth": "tests",
    "TestValidationExpressionsAtSchemaLevels": "tests",
    "TestReasonAndFldPath": "tests",
    "TestMessageExpression": "tests",
    "TestCELValidationLimit": "tests",
    "TestRatcheting": "cases",
    "TestOptionalOldSelf": "tests",
    "TestOptionalOldSelfCheckForNull": "tests",
    "TestOptionalOldSelfIsOptionalType": "cases",
}


def _read(folder: Path) -> dict[str, Any]:
    file = GoFile([folder / "validation_test.go"], NATIVES)
    return {function: list(file.local(function, name)) for function, name in _TABLES.items()}


RECORDED = Recorded("rules", APIEXTENSIONS, "pkg/apiserver/schema/cel", _read)


def _table(function: str) -> Callable[[], list[Any]]:
    return lambda: [fields_of(case) for case in RECORDED.tables[function]]


def _name(case: Any) -> str:
    return str(case["name"])


def _with_rule(case: Any, rule: str) -> Any:
    return NATIVES["withRule"](case["schema"], rule)


# --- one rule on one object -------------------------------------------------------------------------------------------


_FUNCTIONS = ("TestValidationExpressions", "TestCELMaxRecursionDepth")


def _rules(kind: str) -> Callable[[], list[Any]]:
    def entries() -> list[Any]:
        cases = [case for function in _FUNCTIONS for case in RECORDED.tables[function]]
        return [
            pytest.param(case, rule, id=f"{case['name']}: {rule[:120]}")
            for case in cases
            for rule in fields_of(case).get(kind) or ()
        ]

    return entries


@each("case, rule", _rules("valid"))
def test_valid(case: Any, rule: str) -> None:
    rules = compiled(_with_rule(case, rule), root=bool(case.get("isRoot")))
    assert rules is not None
    budget = case.get("costBudget") or OBJECT_BUDGET
    found = run(rules, case["obj"], case.get("oldObj"), budget=budget)
    assert [shown(error) for error in found.errors] == []
    if (cost := case.get("expectedCost")) is not None:
        assert budget - found.budget == cost
    if case.get("expectSkipped"):
        assert found.budget == budget


@each("case, rule", _rules("errors"))
def test_invalid(case: Any, rule: str) -> None:
    rules = compiled(_with_rule(case, rule), root=True)
    assert rules is not None
    found = run(rules, case["obj"], case.get("oldObj"), budget=case.get("costBudget") or OBJECT_BUDGET)
    assert found.errors
    for error in found.errors:
        assert _OTHER_WORDS.get(rule, case["errors"][rule]) in shown(error)


# --- rules within schemas ---------------------------------------------------------------------------------------------


@each("case", _table("TestValidationExpressionsAtSchemaLevels"), ids=_name)
def test_schema_levels(case: Any) -> None:
    rules = compiled(case["schema"], root=True)
    errors = [] if rules is None else [shown(error) for error in run(rules, case["obj"], case.get("oldObj")).errors]
    wanted = case.get("errors") or []
    assert [part for part in wanted if not any(part in error for error in errors)] == []
    assert [error for error in errors if not any(part in error for part in wanted)] == []


@each("case", _table("TestReasonAndFldPath"), ids=_name)
def test_reason_and_path(case: Any) -> None:
    rules = compiled(case["schema"], root=True)
    assert rules is not None
    found = [(error.type.name.title(), error.field) for error in run(rules, case["obj"]).errors]
    assert sorted(found) == sorted((error["Type"], error["Field"]) for error in map(fields_of, case["errors"]))


@each("case", _table("TestMessageExpression"), ids=_name)
def test_message_expression(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if limit := case.get("perCallLimit"):
        monkeypatch.setattr(expressions, "CALL_LIMIT", limit)
    rule = {"Rule": "false", "Message": case.get("message", ""), "MessageExpression": case["messageExpression"]}
    schema = {"Type": "object", "Properties": {"str": {"Type": "string"}}, "XValidations": [rule]}
    rules = compiled(schema, root=False)
    assert rules is not None
    found = run(rules, {"str": "a string"}, budget=case["costBudget"])
    (error,) = found.errors
    assert case.get("expectedValidationErr", "") in shown(error)
    if (budget := case.get("expectedRemainingBudget")) is not None:
        assert found.budget == budget


@each("case", _table("TestCELValidationLimit"), ids=_name)
def test_limit(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for rule in case["valid"]:
        rules = compiled(_with_rule(case, rule), root=False)
        assert rules is not None
        found = run(rules, case["obj"], budget=0)
        assert [shown(error) for error in found.errors] == []
        rules = compiled(_with_rule(case, rule), root=True)
        assert rules is not None
        monkeypatch.setattr(expressions, "CALL_LIMIT", 0)
        found = run(rules, case["obj"])
        text = "no further validation rules will be run due to call cost exceeds limit for rule"
        assert any(text in shown(error) for error in found.errors)
        monkeypatch.undo()


# --- updates ----------------------------------------------------------------------------------------------------------


@each("case", _table("TestRatcheting"), ids=_name)
def test_ratcheting(case: Any) -> None:
    rules = compiled(case["schema"], root=False)
    assert rules is not None
    new, old = case.get("newObj"), case.get("oldObj")
    found = run(
        rules, new, old, correlation=correlated(case["schema"], new, old), budget=case.get("runtimeCostBudget") or 0
    )
    assert len(found.errors) == len(case.get("errors") or [])
    for text in case.get("errors") or []:
        assert any(text in shown(error) for error in found.errors)
    assert sorted(map(shown, found.warnings)) == sorted(case.get("warnings") or [])


@each("case", _table("TestOptionalOldSelf"), ids=_name)
def test_optional_old_self(case: Any) -> None:
    rules = _with_optional_old_self(case)
    found = [shown(error) for error in run(rules, case["obj"], case.get("oldObj")).errors]
    wanted = case.get("errors") or []
    assert [part for part in wanted if not any(part in error for error in found)] == []
    assert len(found) == len(wanted)


@each("case", _table("TestOptionalOldSelfCheckForNull"), ids=_name)
def test_optional_old_self_that_is_not_there(case: Any) -> None:
    rules = _with_optional_old_self(case)
    for old in (None, case["oldObj"]):
        assert [shown(error) for error in run(rules, case["obj"], old).errors] == []


@each("case", _table("TestOptionalOldSelfIsOptionalType"), ids=_name)
def test_optional_old_self_is_optional(case: Any) -> None:
    found = [shown(error) for error in run(_with_optional_old_self(case), case["obj"]).errors]
    assert [part for part in case["errors"] if not any(part in error for error in found)] == []


def _with_optional_old_self(case: Any) -> Any:
    schema = fields_of(case["schema"])
    ruled = [{**fields_of(rule), "OptionalOldSelf": True} for rule in schema["XValidations"]]
    rules = compiled({**schema, "XValidations": ruled}, root=False)
    assert rules is not None
    return rules
