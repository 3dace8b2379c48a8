"""Thousands of random rules are judged as a real API server judges them: the same verdict, the same cost.

Messages about types are compared word by word, those about syntax are not. The server has names of its own for the
types of objects, which change from one run to the next.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tests.apiserver import ApiServer, RuleCost
from tests.apiserver.test_apiserver import definition
from tests.kubernetes.cel.writer import Schema, Writer, random_schema, spoiled
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.cel import Rule, Scope, estimate, scopes
from validation_gen.kubernetes.cel.types import BOOL, STRING

_OBJECT_TYPE = re.compile(r"selfType\d*[\w.@]*")
_PARAMETER = re.compile(r"_var\d+")
_MARK = re.compile(r"\n \| \.*\^", re.MULTILINE)


def _rules(random: random.Random, scope: Scope) -> Iterator[Schema]:
    declared = scope.declared
    assert declared
    objects = scope.environment(declared, optional=False).objects
    for _ in range(random.randint(1, 4)):
        text = Writer(random, declared.type, objects).expression(BOOL)
        rule: Schema = {"rule": spoiled(random, text) if random.random() < 0.1 else text, "message": "wrong"}
        if random.random() < 0.1:
            rule["optionalOldSelf"] = True
        if random.random() < 0.1:
            rule["messageExpression"] = Writer(random, declared.type, objects).expression(STRING)
        if rule["rule"].strip():
            yield rule


def _random_root(random: random.Random) -> Schema:
    root = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"p": random_schema(random)}}}}
    places = [scope for scope in scopes(Scope(root)) if scope.declared]
    for scope in random.sample(places, min(4, len(places))):
        scope.schema["x-kubernetes-validations"] = list(_rules(random, scope))  # type: ignore[index]
    return root


def _comparable(message: str) -> str:
    return _MARK.sub("", _OBJECT_TYPE.sub("OBJECT", _PARAMETER.sub("PARAMETER", message)))


def _told(problems: Iterator[tuple[str, bool, str]]) -> list[tuple[str, bool, str]]:
    """Problems without those of syntax, and without those that say which rules are the most expensive ones."""
    told = ((path, forbidden, _comparable(detail)) for path, forbidden, detail in problems)
    return sorted(each for each in told if "Syntax error" not in each[2] and not each[2].startswith("contributed"))


def _judgement(rule: Rule) -> tuple[object, ...]:
    if "Syntax error" in rule.rule.error:
        return ("no expression",)
    error = _comparable(rule.rule.error)
    return (error,) if error else (rule.rule.base, rule.rule.cost, rule.rule.uses_old_self)


def _measured(cost: RuleCost) -> tuple[object, ...]:
    if "Syntax error" in cost.error:
        return ("no expression",)
    return (_comparable(cost.error),) if cost.error else (cost.base, cost.cost, cost.old_self)


@each("seed", range(drawn(40, least=10)))
def test_random_rules(apiserver: ApiServer, seed: int) -> None:
    rand = random.Random(seed)
    for _ in range(25):
        root = _random_root(rand)
        crd = definition()
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = root
        answer = apiserver.costs(crd)
        measured = {cost.path: _measured(cost) for cost in answer.rules}
        mine = estimate(root)
        for rule in mine.rules:
            assert _judgement(rule) == measured[f"{rule.place}.rule"], rule.rule.text
        if all("x-kubernetes-validations" in error.field or "total" in error.detail for error in answer.errors):
            theirs = ((error.field, error.type == "FieldValueForbidden", error.detail) for error in answer.errors)
            ours = ((problem.path, problem.forbidden, problem.detail) for problem in mine.problems())
            assert _told(ours) == _told(theirs)
