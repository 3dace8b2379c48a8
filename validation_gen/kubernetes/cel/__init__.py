"""The Kubernetes dialect of CEL, for writing and checking the rules of a CRD.

Expressions are parsed, their types are checked and their cost is estimated exactly as the API server does when a CRD is
created; and they run as in the server, with its errors and its cost. Nothing here reads a file or knows a tag.

A rule is checked in a `Scope`, its place in the schema. Create one for the root and descend from it:

    root = Scope(schema)                      # the openAPIV3Schema of a version, as a dict
    ports = root.child("spec").child("ports")
    rule = compile_rule("self.all(p, p.port > 0)", ports.items())

`rule.error` is the server's error, `rule.cost` the cost that it compares with `RULE_LIMIT`. Descending is cheap, and
parsed texts are cached, so a rule costs a fraction of a millisecond: try variants of a rule, and keep the best one.

`estimate(schema)` does this for all rules of a schema, and adds them up for `CRD_LIMIT`; its `problems()` are the
server's errors, in its words. `escape(name)` is the name by which an expression selects a property.

`program.prepared` compiles a rule to a `Plan`, which takes the values of `self` and `oldSelf` as `data` reads them from
an object by its schema. `program.serialize` writes parsed rules as text, so that generated validators need no parser,
and `compilation` gives the server's verdict on a rule. `functions` implements the functions of expressions,
`runtimecosts` has their costs.

Costs have surprises, all of which are upstream's. One to know: where a loop over `x.few` has another field of `x` in
its body, such as `x.many`, the server takes the size of the last such field for that of the range, and the cost may be
a thousand times what it should be. So compare forms of a rule by their estimated costs.

Not modelled: objects of protobuf types (`google.protobuf.Int64Value{value: 1}` is refused), and errors of macros about
arguments behind a syntax error. `docs/crd-check.md` lists this for users.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from validation_gen.kubernetes.cel.compilation import CRD_LIMIT, RULE_LIMIT, Compiled, compile_message, compile_rule
from validation_gen.kubernetes.cel.declarations import MOST, NEWEST
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.schemas import Schema, escape
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.tree import InvalidExpression, Issue

_ROOT = "spec.validation.openAPIV3Schema"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error of the server: its path, its type (`Forbidden` or `Invalid`), and its text."""

    path: str
    forbidden: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One element of `x-kubernetes-validations`: the path of its schema, its index there, and the compiled rule.

    `message` is the compiled `messageExpression`, if there is one and the rule compiles.
    """

    path: str
    index: int
    cardinality: int | None
    rule: Compiled
    message: Compiled | None = None

    @property
    def place(self) -> str:
        return f"{self.path}.x-kubernetes-validations[{self.index}]"

    @property
    def cost(self) -> int:
        """Share of the total cost."""
        return self.rule.cost + (self.message.cost if self.message else 0)

    def problems(self) -> Iterator[Problem]:
        """Yields the errors of the rule by itself, in the server's order."""
        rule, message = f"{self.place}.rule", f"{self.place}.messageExpression"
        if detail := over_budget("estimated rule cost", self.rule.cost, RULE_LIMIT):
            yield Problem(rule, True, detail)
        if self.rule.error:
            yield Problem(rule, False, self.rule.error)
        if self.message and self.message.error:
            yield Problem(message, False, self.message.error)
        elif self.message and (
            detail := over_budget("estimated messageExpression cost", self.message.cost, RULE_LIMIT)
        ):
            yield Problem(message, True, detail)
        if self.rule.refusal:
            yield Problem(
                rule if self.rule.uses_old_self else f"{self.place}.optionalOldSelf", False, self.rule.refusal
            )


@dataclass(frozen=True, slots=True)
class Estimate:
    """The rules of a schema in the order of its text, outer ones before inner ones."""

    path: str
    rules: tuple[Rule, ...]

    @property
    def total(self) -> int:
        return min(sum(rule.cost for rule in self.rules), MOST)

    @property
    def within_limit(self) -> bool:
        return self.total <= CRD_LIMIT

    def problems(self) -> Iterator[Problem]:
        """Yields the errors of each rule, and of their total cost."""
        for rule in self.rules:
            yield from rule.problems()
        yield from self.total_problems()

    def total_problems(self) -> Iterator[Problem]:
        """Yields the errors of the total cost."""
        if self.within_limit:
            return
        contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
        for _, path in self._most_expensive():
            yield Problem(path, True, contributed)
        name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
        yield Problem(self.path, True, over_budget(name, self.total, CRD_LIMIT))

    def _most_expensive(self) -> list[tuple[int, str]]:
        """Returns the four greatest costs, without those below 1% of the limit."""
        costs = [(rule.rule.cost, f"{rule.place}.rule") for rule in self.rules]
        costs += [(rule.message.cost, f"{rule.place}.messageExpression") for rule in self.rules if rule.message]
        return sorted((cost for cost in costs if cost[0] >= CRD_LIMIT // 100), key=lambda cost: -cost[0])[:4]


def over_budget(name: str, cost: int, limit: int) -> str:
    """Returns the server's sentence for a cost above its limit; empty if it is not."""
    if cost <= limit:
        return ""
    factor = cost / limit
    exceeded = "more than 100x" if factor > 100 else f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
    advice = (
        "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings"
    )
    return f"{name} exceeds budget by factor of {exceeded} ({advice} are declared)"


def estimate(schema: Schema, path: str = _ROOT) -> Estimate:
    """Compiles all rules of the schema of a whole resource."""
    return Estimate(path, tuple(_rules(Scope(schema, path))))


def scopes(scope: Scope) -> Iterator[Scope]:
    """Yields a place of a schema and all places below it that can have rules, outer ones first."""
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
            yield compile_entry(entry, scope, index)


def compile_entry(entry: Schema, scope: Scope, index: int) -> Rule:
    """Compiles one element of `x-kubernetes-validations`, with its message; an empty rule costs nothing."""
    text, optional = entry.get("rule") or "", entry.get("optionalOldSelf")
    rule = compile_rule(text, scope, optional_old_self=optional) if text.strip() else Compiled(text)
    message = None
    if text.strip() and not rule.error and (expression := entry.get("messageExpression")):
        message = compile_message(expression, scope, optional_old_self=optional)
    return Rule(scope.path, index, scope.cardinality, rule, message)


__all__ = [
    "CRD_LIMIT",
    "NEWEST",
    "RULE_LIMIT",
    "Compiled",
    "Estimate",
    "InvalidExpression",
    "Issue",
    "Problem",
    "Rule",
    "Scope",
    "compile_entry",
    "compile_message",
    "compile_rule",
    "escape",
    "estimate",
    "over_budget",
    "parse",
    "scopes",
]
