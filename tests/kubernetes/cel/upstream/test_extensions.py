"""Functions of cel-go's extensions give and cost what its own tests say.

Source: `ext` of google/cel-go. What needs messages, other versions of a library or another language is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kubernetes.cel.upstream.checkouts import CEL_GO, folder, needs
from tests.kubernetes.cel.upstream.expressions import NATIVES, ran, unfolded
from tests.kubernetes.cel.upstream.gotables import GoFile, fields_of, is_known
from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.declarations import functions
from validation_gen.kubernetes.cel.environment import Environment
from validation_gen.kubernetes.cel.issues import InvalidExpression
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.runtime.gotext import go_quote

_FOLDER = folder(CEL_GO, "ext")
_here = needs(CEL_GO, "ext")

#: What rules of definitions do not have: messages, `cel.bind`, and texts that are reversed.
_NOT_OURS = re.compile(
    r"ExampleType|TestAllTypes|TestNestedType|cel\.bind|strings\.quote|\bmsg\b|['\"]\.reverse\(\)|\b[kv]\.reverse\(\)"
)
#: Cases that differ, each with the reason. One that does not differ any more has to go.
EXCEPTIONS = {
    "list_sortBy_var": "the API server's `[]` takes optionals, too, so that the keys are of no known type",
    "[].flatten(dyn('1'))": "no cost is counted there; where it is, the count fails before the call does",
}


def _cases(name: str, function: str, table: str) -> Iterator[dict[str, Any]]:
    if _FOLDER is None:
        return
    file = GoFile([_FOLDER / name], NATIVES, lenient=True)
    found = file.local(function, table) if function else file.value(table)
    for case in map(fields_of, found):
        is_english = case.get("locale") in (None, "", "en_US")
        if is_english and is_known(case) and not _NOT_OURS.search(str(case)):
            yield case


def _params(name: str, function: str, table: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{name}: {case.get('name') or case['expr'][:120]}")
        for case in _cases(name, function, table)
    ]


_TRUE = [
    *_params("strings_test.go", "", "stringTests"),
    *_params("lists_test.go", "TestLists", "listsTests"),
    *_params("lists_test.go", "TestListsRuntimeErrors", "listsTests"),
    *_params("comprehensions_test.go", "TestTwoVarComprehensions", "compreTests"),
    *_params("comprehensions_test.go", "TestTwoVarComprehensionsRuntimeErrors", "tests"),
]
_COSTS = [
    *_params("sets_test.go", "TestSets", "tests"),
    *_params("lists_test.go", "TestListsCosts", "tests"),
    *_params("comprehensions_test.go", "TestTwoVarComprehensionsCost", "tests"),
]


def _variables(case: dict[str, Any]) -> dict[str, tuple[types.Type, Any]]:
    values = case.get("in") or {}
    return {name: (type, values.get(name)) for name, type in case.get("vars") or ()}


@_here
@pytest.mark.parametrize("case", _TRUE)
def test_values(case: dict[str, Any]) -> None:
    found, _ = ran(case["expr"], _variables(case))
    if case.get("err"):
        assert isinstance(found, InvalidExpression if case.get("parseOnly") else EvaluationError), found
        assert (case["err"] in str(found) or bool(case.get("parseOnly"))) is (case["expr"] not in EXCEPTIONS)
    else:
        assert found is True, found


@_here
@pytest.mark.parametrize("case", _COSTS)
def test_costs(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    unfolded(monkeypatch)
    found, cost = ran(case["expr"], _variables(case))
    assert not isinstance(found, InvalidExpression | EvaluationError), found
    assert (cost == case["actualCost"]) is (case.get("name") not in EXCEPTIONS)


@_here
@pytest.mark.parametrize("case", _params("formatting_test.go", "TestStringFormat", "tests"))
def test_formatting(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    unfolded(monkeypatch)
    values = case.get("dynArgs") or {}
    text = f"{go_quote(case['format'])}.format([{case.get('formatArgs', '')}])"
    found, cost = ran(text, {name: (types.DYN, value) for name, value in values.items()})
    if case.get("err"):
        problem = str(found) if case.get("skipCompileCheck") or values else _refusal(text) or str(found)
        assert case["err"].removeprefix("error during formatting: ") in problem
    else:
        # A later version of the library than cel-go's has no narrow spaces.
        assert (found == case["expectedOutput"].replace("\u202f", "")) is (case["name"] not in EXCEPTIONS)
        assert cost == case.get("expectedRuntimeCost", cost)


def _refusal(text: str) -> str:
    """What the checker says of the clauses of a constant text."""
    typed = checked(parsed(text, quoted=False), Environment({}, functions(36, stored=True), {}))
    return "; ".join(issue.message for issue in constant_issues(typed))
