"""Rules drawn at random are refused, cost and end as in the API server; `testdata/cel-drawn` has its answers."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from validation_gen.kubernetes.cel import Scope, compile_rule
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET, compile_rules
from validation_gen.kubernetes.crd.schema import read_schema

DRAWN = Path(__file__).parents[3] / "testdata" / "cel-drawn" / "rules.jsonl.gz"
_MINOR = 36
#: Every eighth rule in one test.
_PARTS = 8
_slow, _thorough = pytest.mark.slow, (pytest.mark.slow, pytest.mark.thorough)
_REFUSED = "rule compile error: "
_NO_MATCH = "call arguments did not match a supported operator, function or macro signature for rule"


def rows() -> Iterator[Any]:
    with gzip.open(DRAWN, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def refusal(rule: str, outcome: list[Any]) -> str:
    """Returns the error of a rule that does not compile."""
    if len(outcome) == 1 and isinstance(outcome[0], str):
        return str(outcome[0])
    shown = []
    for column, message in outcome:
        before = "".join("." if character.isascii() else "\uff0e" for character in rule[: column - 1])
        shown.append(f"ERROR: <input>:1:{column}: {message}\n | {rule}\n | {before}^")
    return "compilation failed: " + "\n".join(shown)


def sentence(rule: str, outcome: Any) -> str:
    """Returns the error of an evaluation; empty for a rule that holds."""
    if outcome == 1:
        return ""
    if outcome == 0:
        return f"Invalid value: failed rule: {rule}"
    if isinstance(outcome, list):
        return f'Invalid value: "object": {_REFUSED}{refusal(rule, outcome)}'
    if outcome.startswith("no such overload"):
        return f"Invalid value: \"object\": '{outcome}': {_NO_MATCH}: {rule}"
    return f'Invalid value: "object": {outcome} evaluating rule: {rule}'


def answered(schema: Any, rule: str, new: Any, old: Any) -> tuple[str, int, bool, int, str]:
    """Returns our answer to a rule: its refusal, estimate and use of `oldSelf`, its cost and its error."""
    whole = {**schema, "x-kubernetes-validations": [{"rule": rule}]}
    judged = compile_rule(rule, Scope(whole, resource=False, minor=_MINOR))
    rules = compile_rules(read_schema(whole), Scope(whole, resource=False, minor=_MINOR, stored=True))
    assert rules is not None
    run = rules.check(new, old)
    errors = "; ".join(error.body for error in run.errors)
    return judged.error, judged.cost, judged.uses_old_self, OBJECT_BUDGET - run.budget, errors


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=_slow if part < 3 else _thorough) for part in range(1, _PARTS))]
)
def test_drawn_rules(part: int) -> None:
    recorded = rows()
    schema = next(recorded)
    differences, count = [], 0
    for rule, new, old, most, uses_old, cost, outcome in itertools.islice(recorded, part, None, _PARTS):
        refused = refusal(rule, outcome) if isinstance(outcome, list) else ""
        wanted = (refused, most, bool(uses_old), cost, sentence(rule, outcome))
        found = answered(schema, rule, new, old)
        count += 1
        if found != wanted:
            differences.append((rule, wanted, found))
    assert differences == []
    assert count == 6000 // _PARTS
