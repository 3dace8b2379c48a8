"""Evaluates an expression at a location, and checks it for servers of each release.

A location is a part of a schema, and the values of an object there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel import RULE_LIMIT, InvalidExpression, Scope, compile_rule
from validation_gen.kubernetes.cel.data import ListView, MapView, Unknown, build_shape
from validation_gen.kubernetes.cel.functions.conversions import to_string
from validation_gen.kubernetes.cel.operations import CostExceededError, render_value
from validation_gen.kubernetes.cel.program import compile_at
from validation_gen.kubernetes.cel.tree import render_issues
from validation_gen.kubernetes.cel.values import ABSENT, Duration, EvaluationError, Optional, Timestamp
from validation_gen.kubernetes.crd.expressions import CALL_LIMIT

_STEP = re.compile(r"\.([^.\[\]]+)|\[([^\[\]]+)\]")


class PlaceError(ValueError):
    """No value is at the path; the text has the last part that exists."""


@dataclass(frozen=True, slots=True)
class SchemaPart:
    """A part of the schema of a kind, with its path."""

    schema: Mapping[str, Any]
    steps: tuple[str, ...] = ()
    resource: bool = True

    def scope(self, minor: int) -> Scope:
        """Returns the scope for servers of the release after 1.`minor`."""
        scope = Scope(self.schema, minor=minor, resource=self.resource)
        for step in self.steps:
            scope = _step(scope, step)
        return scope

    def value(self, obj: Any) -> Any:
        """Returns the value of an object at the location.

        Raises:
            PlaceError: there is none.
        """
        for step in self.steps:
            if isinstance(obj, list) and (step.isdigit() or step == "*") and obj:
                obj = obj[0 if step == "*" else min(int(step), len(obj) - 1)]
            elif isinstance(obj, dict) and step in obj:
                obj = obj[step]
            elif isinstance(obj, dict) and step == "*" and obj:
                obj = next(iter(obj.values()))
            else:
                raise PlaceError(f"the object has nothing at {_render_steps(self.steps)}")
        return obj


def _render_steps(steps: tuple[str, ...]) -> str:
    return "".join(f"[{step}]" if step == "*" or step.isdigit() else f".{step}" for step in steps)


def _step(scope: Scope, step: str) -> Scope:
    schema = scope.schema
    if step in (schema.get("properties") or {}):
        return scope.child(step)
    if isinstance(schema.get("items"), Mapping):
        return scope.items()
    return scope.values()


def spot_in(definition: Mapping[str, Any], version: str, path: str) -> SchemaPart:
    """Returns the location in a version of a definition: `.spec.ports[*].name`; an empty version means the stored one.

    Raises:
        PlaceError: there is no such version, or nothing at the path.
    """
    versions = (definition.get("spec") or {}).get("versions") or []
    named = [each for each in versions if each.get("name") == version or (not version and each.get("storage"))]
    if not named:
        known = ", ".join(str(each.get("name")) for each in versions)
        raise PlaceError(f"the definition has no version {version or 'that is stored'}; it has {known or 'none'}")
    return at_path((named[0].get("schema") or {}).get("openAPIV3Schema") or {}, path)


def at_path(schema: Mapping[str, Any], path: str, *, resource: bool = True) -> SchemaPart:
    """Returns the location at a path in a schema. `resource`: the schema is that of a resource.

    Raises:
        PlaceError: there is nothing at the path.
    """
    return SchemaPart(schema, _steps(path, schema), resource)


def parse_steps(path: str) -> tuple[str, ...]:
    """Returns the names and indices in a path."""
    return tuple(match[1] or match[2] for match in _STEP.finditer(_begun(path)))


def _begun(path: str) -> str:
    return path if path[:1] in (".", "[", "") else f".{path}"


def _steps(path: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    text = _begun(path)
    if "".join(match[0] for match in _STEP.finditer(text)) != text:
        raise PlaceError(f"{path} is not a path such as .spec.ports[*].name")
    steps = parse_steps(path)
    here: Any = schema
    for count, step in enumerate(steps, 1):
        inner = (here.get("properties") or {}).get(step)
        here = inner if inner is not None else here.get("items") or here.get("additionalProperties")
        if not isinstance(here, Mapping):
            raise PlaceError(f"the schema has nothing at {_render_steps(steps[:count])}")
    return steps


def guess_spot(obj: Any, path: str) -> SchemaPart:
    """Returns the location in a schema that is guessed from an object, for use without a definition.

    Raises:
        PlaceError: the object has nothing at the path.
    """
    schema = _guess_schema(obj)
    return SchemaPart(schema, _steps(path, schema), resource=False)


def _guess_schema(value: Any) -> dict[str, Any]:
    """Returns a schema that fits a value. Items of a list get the fields of all of them."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {str(name): _guess_schema(item) for name, item in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": _join_schemas([_guess_schema(item) for item in value])}
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")):
        if isinstance(value, kind):
            return {"type": name}
    return {"x-kubernetes-preserve-unknown-fields": True}


def _join_schemas(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns a schema that accepts each of several."""
    types = {schema.get("type") for schema in schemas}
    if types == {"object"}:
        names: dict[str, list[dict[str, Any]]] = {}
        for schema in schemas:
            for name, part in schema["properties"].items():
                names.setdefault(name, []).append(part)
        return {"type": "object", "properties": {name: _join_schemas(parts) for name, parts in names.items()}}
    if types == {"array"}:
        return {"type": "array", "items": _join_schemas([schema["items"] for schema in schemas])}
    if types <= {"integer", "string"} and len(types) == 2:
        return {"x-kubernetes-int-or-string": True}
    if types <= {"integer", "number"} and types:
        return {"type": "number" if "number" in types else "integer"}
    return schemas[0] if len(types) == 1 else {"x-kubernetes-preserve-unknown-fields": True}


#: The releases whose servers support rules.
RELEASES = tuple(f"1.{minor}" for minor in range(25, 39))
#: A release that is not out. It is reported only where its servers differ from those of the release before.
ALPHA = "1.38"


def name_span(releases: Sequence[str]) -> str:
    """Returns the name of consecutive releases in messages."""
    return releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"


def previous_minor(release: str) -> int:
    """Returns the minor of the release before a server's; new rules may use only the functions of that release."""
    return int(release.partition(".")[2]) - 1


@dataclass(frozen=True, slots=True)
class Tried:
    """Result of an evaluation: a value with its type and cost, or the reason why there is none."""

    value: Any = None
    type: str = ""
    cost: int = 0
    error: str = ""


def evaluate_at(text: str, spot: SchemaPart, minor: int, new: Any, old: Any = None, *, optional: bool = False) -> Tried:
    """Evaluates an expression; `self` and `oldSelf` are the values of objects at a location.

    Raises:
        PlaceError: an object has no value there.
    """
    before = None if old is None else spot.value(old)
    return evaluate(text, spot.scope(minor), spot.value(new), before, optional=optional)


def evaluate(text: str, scope: Scope, new: Any, old: Any = None, *, optional: bool = False) -> Tried:
    """Evaluates an expression on values at a location."""
    try:
        typed, plan = compile_at(text, scope, optional_old_self=optional)
    except InvalidExpression as error:
        return Tried(error=render_issues(text, error.issues))
    shape = build_shape(scope.schema, root=scope.parent is None and scope.resource)
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
        return {render_value(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return to_string(value) if isinstance(value, Timestamp | Duration) else render_value(value)


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdict of servers of one release on a rule. `cost` is the maximum for one object."""

    release: str
    error: str = ""
    cost: int = 0


def judge_rule(text: str, spot: SchemaPart, releases: Iterable[str]) -> list[Judged]:
    """Returns the verdicts of servers on a rule at a location, by release. Alphas are included only if they differ."""
    found: list[Judged] = []
    for release in releases:
        scope = spot.scope(previous_minor(release))
        compiled = compile_rule(text, scope)
        problem = compiled.error or compiled.refusal
        if not problem and not compiled.within_limit:
            problem = f"estimated rule cost exceeds budget by factor of {compiled.cost / RULE_LIMIT:.1f}x"
        if release != ALPHA or not found or (problem, compiled.cost) != (found[-1].error, found[-1].cost):
            found.append(Judged(release, problem, compiled.cost))
    return found
