"""Functions of cel-go's extensions give and cost what its own tests say.

Source: `ext` of google/cel-go. What needs messages, other versions of a library or another language is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.cel.upstream.checkouts import CEL_GO
from tests.kubernetes.cel.upstream.expressions import NATIVES, ran, unfolded
from tests.kubernetes.cel.upstream.gotables import GoFile, fields_of, is_known
from tests.kubernetes.cel.upstream.recorded import Recorded
from tests.tables import each
from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment, functions
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.runtime.gotext import go_quote

#: What rules of definitions do not have: messages, `cel.bind`, and texts that are reversed.
_NOT_OURS = re.compile(
    r"ExampleType|TestAllTypes|TestNestedType|cel\.bind|strings\.quote|\bmsg\b|['\"]\.reverse\(\)|\b[kv]\.reverse\(\)"
)
#: Cases that differ, each with the reason. One that does not differ any more has to go.
EXCEPTIONS = {
    "list_sortBy_var": "the API server's `[]` takes optionals, too, so that the keys are of no known type",
    "[].flatten(dyn('1'))": "no cost is counted there; where it is, the count fails before the call does",
}


_TRUE = [
    ("strings_test.go", "", "stringTests"),
    ("lists_test.go", "TestLists", "listsTests"),
    ("lists_test.go", "TestListsRuntimeErrors", "listsTests"),
    ("comprehensions_test.go", "TestTwoVarComprehensions", "compreTests"),
    ("comprehensions_test.go", "TestTwoVarComprehensionsRuntimeErrors", "tests"),
]
_COSTS = [
    ("sets_test.go", "TestSets", "tests"),
    ("lists_test.go", "TestListsCosts", "tests"),
    ("comprehensions_test.go", "TestTwoVarComprehensionsCost", "tests"),
]
_FORMATS = [("formatting_test.go", "TestStringFormat", "tests")]


def _cases(folder: Path, name: str, function: str, table: str) -> Iterator[dict[str, Any]]:
    file = GoFile([folder / name], NATIVES, lenient=True)
    found = file.local(function, table) if function else file.value(table)
    for case in map(fields_of, found):
        is_english = case.get("locale") in (None, "", "en_US")
        if is_english and is_known(case) and not _NOT_OURS.search(str(case)):
            yield case


def _read(folder: Path) -> dict[str, Any]:
    return {" ".join(place): list(_cases(folder, *place)) for place in (*_TRUE, *_COSTS, *_FORMATS)}


RECORDED = Recorded("extensions", CEL_GO, "ext", _read)


def _params(places: list[tuple[str, str, str]]) -> Callable[[], list[Any]]:
    return lambda: [
        pytest.param(case, id=f"{place[0]}: {case.get('name') or case['expr'][:120]}")
        for place in places
        for case in RECORDED.tables[" ".join(place)]
    ]


def _variables(case: dict[str, Any]) -> dict[str, tuple[types.Type, Any]]:
    values = case.get("in") or {}
    return {name: (type, values.get(name)) for name, type in case.get("vars") or ()}


@each("case", _params(_TRUE))
def test_values(case: dict[str, Any]) -> None:
    found, _ = ran(case["expr"], _variables(case))
    if case.get("err"):
        assert isinstance(found, InvalidExpression if case.get("parseOnly") else EvaluationError), found
        assert (case["err"] in str(found) or bool(case.get("parseOnly"))) is (case["expr"] not in EXCEPTIONS)
    else:
        assert found is True, found


@each("case", _params(_COSTS))
def test_costs(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    unfolded(monkeypatch)
    found, cost = ran(case["expr"], _variables(case))
    assert not isinstance(found, InvalidExpression | EvaluationError), found
    assert (cost == case["actualCost"]) is (case.get("name") not in EXCEPTIONS)


@each("case", _params(_FORMATS))
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
    typed = check_expression(parse(text, quoted=False), Environment({}, functions(36, stored=True), {}))
    return "; ".join(issue.message for issue in constant_issues(typed))
