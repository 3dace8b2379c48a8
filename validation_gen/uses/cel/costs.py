"""Estimates the maximum cost of the rules of a schema, as servers of each release do when a definition is created."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel import CRD_LIMIT, RULE_LIMIT, Estimate, Rule, Scope, judged, over_budget, scopes
from validation_gen.kubernetes.objects.watching import Keys, place_of
from validation_gen.uses.cel.limits import Limits, keys_of, limits_of
from validation_gen.uses.cel.trying import minor_of

_KEYWORD = "x-kubernetes-validations"


@dataclass(frozen=True, slots=True)
class Cost:
    """Maximum cost of a rule, with its message, and the effect of missing limits.

    `problem` is the server's reason to refuse it.
    """

    keys: Keys
    index: int
    text: str
    rule: int
    message: int
    problem: str
    limits: Limits

    @property
    def place(self) -> str:
        return place_of(self.keys)

    @property
    def total(self) -> int:
        return self.rule + self.message

    @property
    def too_much(self) -> bool:
        return max(self.rule, self.message) > RULE_LIMIT


@dataclass(frozen=True, slots=True)
class Estimated:
    """The estimate of some releases, which agree."""

    releases: tuple[str, ...]
    costs: tuple[Cost, ...]
    total: int

    @property
    def problem(self) -> str:
        """Reason to refuse all rules together."""
        return over_budget("estimated rule cost total for entire OpenAPIv3 schema", self.total, CRD_LIMIT)

    @property
    def too_much(self) -> bool:
        return self.total > CRD_LIMIT or any(cost.too_much for cost in self.costs)

    def share(self, cost: Cost) -> float:
        """Returns the share of a rule in the total."""
        return cost.total / self.total if self.total else 0.0


def estimated(schema: Mapping[str, Any], releases: Sequence[str]) -> list[Estimated]:
    """Returns the servers' estimates for the rules of a schema.

    Consecutive releases with equal estimates are grouped.
    """
    groups: list[tuple[list[str], list[tuple[Scope, Rule]]]] = []
    for release in releases:
        rules = list(_rules(Scope(schema, minor=minor_of(release))))
        if groups and list(map(_opinion, groups[-1][1])) == list(map(_opinion, rules)):
            groups[-1][0].append(release)
        else:
            groups.append(([release], rules))
    return [_estimated(schema, names, rules) for names, rules in groups]


def _rules(root: Scope) -> Iterator[tuple[Scope, Rule]]:
    for scope in scopes(root):
        for index, entry in enumerate(scope.schema.get(_KEYWORD) or ()):
            yield scope, judged(entry or {}, scope, index)


def _opinion(found: tuple[Scope, Rule]) -> tuple[object, ...]:
    rule = found[1]
    return rule.rule.cost, _problem(rule), rule.message.cost if rule.message else 0


def _problem(rule: Rule) -> str:
    return next((problem.detail for problem in rule.problems()), "")


def _estimated(schema: Mapping[str, Any], releases: list[str], rules: list[tuple[Scope, Rule]]) -> Estimated:
    root = Scope(schema, minor=minor_of(releases[-1]))
    costs = tuple(_cost(root, scope, rule) for scope, rule in rules)
    return Estimated(tuple(releases), costs, Estimate(root.path, tuple(rule for _, rule in rules)).total)


def _cost(root: Scope, scope: Scope, rule: Rule) -> Cost:
    keys = keys_of(scope)
    limits = limits_of(root, keys, rule.index, rule.cost)
    message = rule.message.cost if rule.message else 0
    text = rule.rule.text.strip()
    return Cost(keys, rule.index, text, rule.rule.cost, message, _problem(rule), limits)


def with_rule(schema: Mapping[str, Any], keys: Keys, text: str) -> dict[str, Any]:
    """Returns a copy of a schema that has one rule, at a location, and no other."""
    found: dict[str, Any] = _bare(schema)
    here: Any = found
    for key in keys:
        here = here[key]
    here[_KEYWORD] = [{"rule": text}]
    return found


def _bare(schema: Any) -> Any:
    """Returns a copy without rules. Values of other keywords are kept unchanged."""
    if not isinstance(schema, Mapping):
        return schema
    found = {name: value for name, value in schema.items() if name != _KEYWORD}
    for key in ("items", "additionalProperties", "not"):
        if key in found:
            found[key] = _bare(found[key])
    if isinstance(found.get("properties"), Mapping):
        found["properties"] = {name: _bare(inner) for name, inner in found["properties"].items()}
    for key in ("allOf", "anyOf", "oneOf"):
        if isinstance(found.get(key), list):
            found[key] = [_bare(each) for each in found[key]]
    return found
