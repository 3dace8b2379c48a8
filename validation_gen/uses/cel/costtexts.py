"""Renders the cost of rules, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from validation_gen.diagnostics.formats import one_line
from validation_gen.kubernetes.cel import CRD_LIMIT, RULE_LIMIT
from validation_gen.kubernetes.objects.watching import Seen, place_of
from validation_gen.runtime.words import counted
from validation_gen.uses.cel.costs import Cost, Estimated
from validation_gen.uses.cel.limits import Limits
from validation_gen.uses.cel.measuring import CALL_LIMIT, OBJECT_BUDGET, Measured
from validation_gen.uses.cel.trying import span_of

#: Maximum number of missing limits to name for a rule.
_NAMED = 3


def lines(estimates: Sequence[Estimated], measured: Measured | None) -> Iterator[str]:
    """Yields the most expensive rules first."""
    for each in estimates:
        yield f"{span_of(each.releases)}: at most {_of(each.total, CRD_LIMIT)}"
        for cost in sorted(each.costs, key=lambda cost: -cost.total):
            yield from _estimated(each, cost)
        if each.problem:
            yield f"  {_first_line(each.problem)}"
    if measured is not None:
        yield f"on this object: {_of(measured.total, OBJECT_BUDGET)}"
        for seen in sorted(measured.rules, key=lambda seen: -seen.cost):
            yield f"  {_seen_cost(seen)}: {_rule(seen.keys, seen.rule)}"


def _estimated(all: Estimated, cost: Cost) -> Iterator[str]:
    if not cost.total and cost.problem:
        yield f"  {_first_line(cost.problem)}: {_rule(cost.keys, cost.text)}"
        return
    message = f", {cost.message} of it for the message" if cost.message else ""
    yield f"  {_of(cost.total, RULE_LIMIT)}, {all.share(cost):.0%} of all{message}: {_rule(cost.keys, cost.text)}"
    if cost.limits.missing:
        yield f"    {_limits(cost.limits)}"
    if cost.problem:
        yield f"    {_first_line(cost.problem)}"


def _seen_cost(seen: Seen) -> str:
    if not seen.evaluations:
        return "not evaluated"
    if seen.most > CALL_LIMIT:
        return f"stopped, as an evaluation costs more than {CALL_LIMIT}"
    return f"{seen.cost} in {counted(seen.evaluations, 'evaluation')}, each at most {_of(seen.most, CALL_LIMIT)}"


def _limits(limits: Limits) -> str:
    named = [f"{each.keyword} of {each.place or 'self'} {_times(each.factor)}" for each in limits.missing[:_NAMED]]
    more = len(limits.missing) - _NAMED
    named += [f"{more} more"] if more > 0 else []
    return f"{_times(limits.factor)} by missing limits: {', '.join(named)}"


def _times(factor: float) -> str:
    return f"×{factor:,.0f}" if factor >= 10 else f"×{factor:.1f}"


def _of(cost: int, limit: int) -> str:
    share = cost / limit
    return f"{cost} of {limit} ({f'{share:.2%}' if share <= 100 else 'more than 100x'})"


def _first_line(problem: str) -> str:
    """Returns a server's message about a rule, without its excerpt and advice."""
    return one_line(problem.partition("\n")[0].partition(" (try ")[0])


def _rule(keys: tuple[str | int, ...], text: str) -> str:
    place = place_of(keys)
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
                "rules": [_cost(each, cost) for cost in each.costs],
            }
            for each in estimates
        ],
    }
    if measured is not None:
        found["measured"] = {
            "total": measured.total,
            "rules": [_seen(seen) for seen in measured.rules],
            "errors": [*measured.outcome.problems, *map(str, measured.outcome.errors)],
        }
    return found


def _cost(all: Estimated, cost: Cost) -> dict[str, Any]:
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


def _seen(seen: Seen) -> dict[str, Any]:
    return {
        "place": place_of(seen.keys),
        "index": seen.keys[-1],
        "rule": seen.rule.strip(),
        "evaluations": seen.evaluations,
        "cost": seen.cost,
        "most": seen.most,
    }
