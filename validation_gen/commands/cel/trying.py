"""Evaluates an expression, and checks it for servers of each release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.cel.places import Spot
from validation_gen.kubernetes.cel import RULE_LIMIT, InvalidExpression, Scope, compile_rule
from validation_gen.kubernetes.cel.data import ListView, MapView, Unknown, shape_of
from validation_gen.kubernetes.cel.functions.conversions import to_string
from validation_gen.kubernetes.cel.issues import rendered
from validation_gen.kubernetes.cel.operations import shown
from validation_gen.kubernetes.cel.program import planned_at
from validation_gen.kubernetes.cel.running import CostExceededError
from validation_gen.kubernetes.cel.values import ABSENT, Duration, EvaluationError, Optional, Timestamp
from validation_gen.kubernetes.crd.expressions import CALL_LIMIT

#: The releases whose servers support rules.
RELEASES = tuple(f"1.{minor}" for minor in range(25, 38))


def span_of(releases: Sequence[str]) -> str:
    """Returns the name of consecutive releases in messages."""
    return releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"


def minor_of(release: str) -> int:
    """Returns the release before a server's, whose functions new rules may use."""
    return int(release.partition(".")[2]) - 1


@dataclass(frozen=True, slots=True)
class Tried:
    """Result of an evaluation: a value with its type and cost, or the reason why there is none."""

    value: Any = None
    type: str = ""
    cost: int = 0
    error: str = ""


def tried(text: str, spot: Spot, minor: int, new: Any, old: Any = None, *, optional: bool = False) -> Tried:
    """Evaluates an expression; `self` and `oldSelf` are the values of objects at a location.

    Raises:
        PlaceError: an object has no value there.
    """
    before = None if old is None else spot.value(old)
    return evaluated(text, spot.scope(minor), spot.value(new), before, optional=optional)


def evaluated(text: str, scope: Scope, new: Any, old: Any = None, *, optional: bool = False) -> Tried:
    """Evaluates an expression on values at a location."""
    try:
        typed, plan = planned_at(text, scope, optional_old_self=optional)
    except InvalidExpression as error:
        return Tried(error=rendered(text, error.issues))
    shape = shape_of(scope.schema, root=scope.parent is None and scope.resource)
    before: Any = EvaluationError("no such attribute(s): oldSelf")
    if old is not None:
        before = shape.read(old)
    if optional:
        before = ABSENT if old is None else Optional(True, before)
    try:
        value, cost = plan.run((shape.read(new), before), CALL_LIMIT)
    except CostExceededError:
        return Tried(error=f"the evaluation costs more than {CALL_LIMIT}, which is what a server allows")
    if isinstance(value, EvaluationError):
        return Tried(error=value.message, cost=cost)
    return Tried(plain(value), str(typed.type), cost)


def plain(value: Any) -> Any:
    """Returns a value as JSON; others as their text."""
    if isinstance(value, MapView | ListView | Unknown):
        return value.raw
    if isinstance(value, Optional):
        return plain(value.value) if value.present else None
    if isinstance(value, Mapping):
        return {shown(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return to_string(value) if isinstance(value, Timestamp | Duration) else shown(value)


@dataclass(frozen=True, slots=True)
class Judged:
    """Answer of servers of one release to a rule. `cost` is the maximum for one object."""

    release: str
    error: str = ""
    cost: int = 0


def judged(text: str, spot: Spot, releases: Iterable[str]) -> list[Judged]:
    """Returns the answers of servers to a rule at a location, by release."""
    found = []
    for release in releases:
        scope = spot.scope(minor_of(release))
        compiled = compile_rule(text, scope)
        problem = compiled.error or compiled.refusal
        if not problem and not compiled.within_limit:
            problem = f"estimated rule cost exceeds budget by factor of {compiled.cost / RULE_LIMIT:.1f}x"
        found.append(Judged(release, problem, compiled.cost))
    return found
