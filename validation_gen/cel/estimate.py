"""All rules of a schema: what each costs, what is wrong with it, and whether the server takes them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from validation_gen.cel.ranges import MOST
from validation_gen.cel.schemas import Schema
from validation_gen.cel.scope import CRD_LIMIT, Compiled, Scope, compile_message, compile_rule


@dataclass(frozen=True, slots=True)
class Rule:
    """One element of `x-kubernetes-validations`: the place of its schema, its position there, the judgement on it."""

    path: str
    index: int
    cardinality: int | None
    rule: Compiled
    message: Compiled | None = None

    @property
    def cost(self) -> int:
        """What it adds to the total."""
        return self.rule.cost + (self.message.cost if self.message else 0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The rules of a schema in the order of its text, outer ones before inner ones."""

    rules: tuple[Rule, ...]

    @property
    def total(self) -> int:
        return min(sum(rule.cost for rule in self.rules), MOST)

    @property
    def within_limit(self) -> bool:
        return self.total <= CRD_LIMIT


def estimate(schema: Schema, path: str = "spec.validation.openAPIV3Schema") -> Estimate:
    """All rules of a schema of a whole resource."""
    return Estimate(tuple(_rules(Scope(schema, path))))


def scopes(scope: Scope) -> Iterator[Scope]:
    """A place of a schema and all places below it where rules can stand, outer ones first."""
    pending = [scope]
    while pending:
        here = pending.pop()
        yield here
        schema = here.schema
        below = [here.child(name) for name, inner in (schema.get("properties") or {}).items() if _is_schema(inner)]
        if _is_schema(schema.get("items")):
            below.append(here.items())
        if _is_schema(schema.get("additionalProperties")):
            below.append(here.values())
        pending += reversed(below)


def _is_schema(value: object) -> bool:
    return isinstance(value, Mapping)


def _rules(root: Scope) -> Iterator[Rule]:
    for scope in scopes(root):
        for index, entry in enumerate(scope.schema.get("x-kubernetes-validations") or ()):
            optional = entry.get("optionalOldSelf")
            rule = compile_rule(entry.get("rule") or "", scope, optional_old_self=optional)
            message = None
            if not rule.error and (text := entry.get("messageExpression")):
                message = compile_message(text, scope, optional_old_self=optional)
            yield Rule(scope.path, index, scope.cardinality, rule, message)
