"""Costs of the rules of a schema, for people and for programs.

The estimate is the maximum that servers of each release compute when a definition is created; the measured cost is that
which a server counts for a request with an object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.cel.evaluation import ALPHA, at_path, name_span, previous_minor
from validation_gen.commands.cel.limits import Limits, find_keys, find_limits
from validation_gen.diagnostics.formats import one_line
from validation_gen.kubernetes.cel import (
    CRD_LIMIT,
    RULE_LIMIT,
    Estimate,
    Rule,
    Scope,
    compile_entry,
    over_budget,
    scopes,
)
from validation_gen.kubernetes.crd.expressions import CALL_LIMIT, OBJECT_BUDGET
from validation_gen.kubernetes.objects import Outcome, Scheme
from validation_gen.kubernetes.objects.rule_stats import Keys, RuleStats, render_keys, watch_rules
from validation_gen.runtime.words import counted

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
        return render_keys(self.keys)

    @property
    def total(self) -> int:
        return self.rule + self.message

    @property
    def too_much(self) -> bool:
        return max(self.rule, self.message) > RULE_LIMIT


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimate, with the releases that agree on it."""

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


def estimate_rules(schema: Mapping[str, Any], releases: Sequence[str]) -> list[Estimated]:
    """Returns the servers' estimates for the rules of a schema.

    Consecutive releases with equal estimates are grouped; an alpha is left out if it agrees with the release before.
    """
    groups: list[tuple[list[str], list[tuple[Scope, Rule]]]] = []
    for release in releases:
        rules = list(_rules(Scope(schema, minor=previous_minor(release))))
        if groups and list(map(_opinion, groups[-1][1])) == list(map(_opinion, rules)):
            groups[-1][0].extend([release] if release != ALPHA else [])
        else:
            groups.append(([release], rules))
    return [_estimate_rule(schema, names, rules) for names, rules in groups]


def _rules(root: Scope) -> Iterator[tuple[Scope, Rule]]:
    for scope in scopes(root):
        for index, entry in enumerate(scope.schema.get(_KEYWORD) or ()):
            yield scope, compile_entry(entry or {}, scope, index)


def _opinion(found: tuple[Scope, Rule]) -> tuple[object, ...]:
    rule = found[1]
    return rule.rule.cost, _problem(rule), rule.message.cost if rule.message else 0


def _problem(rule: Rule) -> str:
    return next((problem.detail for problem in rule.problems()), "")


def _estimate_rule(schema: Mapping[str, Any], releases: list[str], rules: list[tuple[Scope, Rule]]) -> Estimated:
    root = Scope(schema, minor=previous_minor(releases[-1]))
    costs = tuple(_cost(root, scope, rule) for scope, rule in rules)
    return Estimated(tuple(releases), costs, Estimate(root.path, tuple(rule for _, rule in rules)).total)


def _cost(root: Scope, scope: Scope, rule: Rule) -> Cost:
    keys = find_keys(scope)
    limits = find_limits(root, keys, rule.index, rule.cost)
    message = rule.message.cost if rule.message else 0
    text = rule.rule.text.strip()
    return Cost(keys, rule.index, text, rule.rule.cost, message, _problem(rule), limits)


def find_version(definition: Mapping[str, Any], name: str, obj: Any) -> int:
    """Returns the index of a version: the one with the name, that of the object, or the stored one.

    Raises:
        LookupError: there is none; the text says so.
    """
    versions = definition["spec"]["versions"]
    if not name and isinstance(obj, dict):
        name = str(obj.get("apiVersion")).rpartition("/")[2]
    for index, each in enumerate(versions):
        if each["name"] == name or (not name and each.get("storage")):
            return index
    known = ", ".join(each["name"] for each in versions)
    raise LookupError(f"the definition has no version {name}; it has {known}")


def with_rule(definition: Mapping[str, Any], index: int, at: str, text: str) -> dict[str, Any]:
    """Returns a copy of a definition in which a version has one rule, at a path, and no other.

    Raises:
        PlaceError: the path leads nowhere.
    """
    found: dict[str, Any] = deepcopy({**definition})
    version = found["spec"]["versions"][index]
    schema = (version.get("schema") or {}).get("openAPIV3Schema") or {}
    keys = find_keys(at_path(schema, at).scope(0))
    here = bare = _bare(schema)
    for key in keys:
        here = here[key]
    here[_KEYWORD] = [{"rule": text}]
    version["schema"] = {"openAPIV3Schema": bare}
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


__all__ = ["CALL_LIMIT", "OBJECT_BUDGET", "Measured", "measure_object"]


@dataclass(frozen=True, slots=True)
class Measured:
    """Cost of each rule, and the server's answer."""

    rules: tuple[RuleStats, ...]
    outcome: Outcome

    @property
    def total(self) -> int:
        """Total cost of all rules, including stopped ones."""
        return sum(seen.cost for seen in self.rules)

    @property
    def too_much(self) -> bool:
        return self.total > OBJECT_BUDGET or any(seen.most > CALL_LIMIT for seen in self.rules)


def measure_object(definition: Mapping[str, Any], version: str, new: Any, old: Any = None) -> Measured:
    """Validates an object and counts the cost.

    Raises:
        UndefinedError: the object is not of this kind and version.
        UnsupportedRequestError: it cannot be validated.
    """
    scheme = Scheme()
    kind = scheme.define(definition)
    seen = watch_rules(kind.versions[version])
    return Measured(tuple(seen), scheme.admit(new, old))


#: Maximum number of missing limits to name for a rule.
_NAMED = 3


def lines(estimates: Sequence[Estimated], measured: Measured | None) -> Iterator[str]:
    """Yields the most expensive rules first."""
    for each in estimates:
        yield f"{name_span(each.releases)}: at most {_render_share(each.total, CRD_LIMIT)}"
        for cost in sorted(each.costs, key=lambda cost: -cost.total):
            yield from _render_estimates(each, cost)
        if each.problem:
            yield f"  {_first_line(each.problem)}"
    if measured is not None:
        yield f"on this object: {_render_share(measured.total, OBJECT_BUDGET)}"
        for seen in sorted(measured.rules, key=lambda seen: -seen.cost):
            yield f"  {_render_cost(seen)}: {_rule(seen.keys, seen.rule)}"


def _render_estimates(all: Estimated, cost: Cost) -> Iterator[str]:
    if not cost.total and cost.problem:
        yield f"  {_first_line(cost.problem)}: {_rule(cost.keys, cost.text)}"
        return
    message = f", {cost.message} of it for the message" if cost.message else ""
    share = f"{_render_share(cost.total, RULE_LIMIT)}, {all.share(cost):.0%} of all"
    yield f"  {share}{message}: {_rule(cost.keys, cost.text)}"
    if cost.limits.missing:
        yield f"    {_limits(cost.limits)}"
    if cost.problem:
        yield f"    {_first_line(cost.problem)}"


def _render_cost(seen: RuleStats) -> str:
    if not seen.evaluations:
        return "not evaluated"
    if seen.most > CALL_LIMIT:
        return f"stopped, as an evaluation costs more than {CALL_LIMIT}"
    return (
        f"{seen.cost} in {counted(seen.evaluations, 'evaluation')}, each at most {_render_share(seen.most, CALL_LIMIT)}"
    )


def _limits(limits: Limits) -> str:
    named = [f"{each.keyword} of {each.place or 'self'} {_times(each.factor)}" for each in limits.missing[:_NAMED]]
    more = len(limits.missing) - _NAMED
    named += [f"{more} more"] if more > 0 else []
    return f"{_times(limits.factor)} by missing limits: {', '.join(named)}"


def _times(factor: float) -> str:
    return f"×{factor:,.0f}" if factor >= 10 else f"×{factor:.1f}"


def _render_share(cost: int, limit: int) -> str:
    share = cost / limit
    return f"{cost} of {limit} ({f'{share:.2%}' if share <= 100 else 'more than 100x'})"


def _first_line(problem: str) -> str:
    """Returns a server's message about a rule, without its excerpt and advice."""
    return one_line(problem.partition("\n")[0].partition(" (try ")[0])


def _rule(keys: tuple[str | int, ...], text: str) -> str:
    place = render_keys(keys)
    return one_line(f"{place}: {text.strip()}" if place else text.strip())


def document(estimates: Sequence[Estimated], measured: Measured | None) -> dict[str, Any]:
    """Returns the same as JSON-ready data, rules in the order of the schema."""
    found: dict[str, Any] = {
        "limits": {"rule": RULE_LIMIT, "total": CRD_LIMIT, "call": CALL_LIMIT, "object": OBJECT_BUDGET},
        "estimates": [
            {
                "releases": list(each.releases),
                "total": each.total,
                "error": each.problem,
                "rules": [_cost_data(each, cost) for cost in each.costs],
            }
            for each in estimates
        ],
    }
    if measured is not None:
        found["measured"] = {
            "total": measured.total,
            "rules": [_to_dict(seen) for seen in measured.rules],
            "errors": [*measured.outcome.problems, *map(str, measured.outcome.errors)],
        }
    return found


def _cost_data(all: Estimated, cost: Cost) -> dict[str, Any]:
    return {
        "place": cost.place,
        "index": cost.index,
        "rule": cost.text,
        "cost": cost.rule,
        "messageCost": cost.message,
        "share": round(all.share(cost), 4),
        "error": cost.problem,
        "missingLimits": {
            "factor": round(cost.limits.factor, 1),
            "limits": [
                {"place": each.place, "keyword": each.keyword, "factor": round(each.factor, 1)}
                for each in cost.limits.missing
            ],
        },
    }


def _to_dict(seen: RuleStats) -> dict[str, Any]:
    return {
        "place": render_keys(seen.keys),
        "index": seen.keys[-1],
        "rule": seen.rule.strip(),
        "evaluations": seen.evaluations,
        "cost": seen.cost,
        "most": seen.most,
    }
