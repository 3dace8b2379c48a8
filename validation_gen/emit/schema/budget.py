"""Keeps the CEL rules of a schema within the limits of the API server, and removes parts of unknown types.

The server estimates the cost of a rule when a definition is created, from the greatest sizes that the schema admits,
and refuses definitions with rules that cost too much. Rules from tags are weakened: first to a cheaper form, then
dropped. Handwritten rules stay unchanged, and are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from validation_gen.diagnostics import Span
from validation_gen.emit.schema.expressions import escape_property
from validation_gen.emit.schema.node import Node, Rule
from validation_gen.kubernetes.cel import CRD_LIMIT, RULE_LIMIT, Compiled, Scope, compile_message, compile_rule

_UNDEFINED = re.compile(r"undefined field '([^']*)'")
# The API server makes no variable of a value without a type.
_UNTYPED = ("unable to convert structural schema to CEL declarations", "undeclared reference to 'self'")


@dataclass(frozen=True, slots=True)
class Unfit:
    """An omitted part, with the unknown type."""

    type: str
    text: str
    span: Span | None


def drop_unfit(node: Node) -> list[Unfit]:
    """Removes keywords that the API server admits only beside a type, where the type is unresolved."""
    found = []
    for each in node.nodes():
        keywords = each.keywords
        if each.lost and "type" not in keywords and keywords.pop("x-kubernetes-map-type", None):
            found.append(Unfit(each.lost, "the schema goes without the type of the map", None))
        items = each.items
        if items is not None and items.lost and not _has_keys(keywords, items):
            del keywords["x-kubernetes-list-type"]
            keywords.pop("x-kubernetes-list-map-keys", None)
            found.append(Unfit(items.lost, "the schema does not tell items by their keys", None))
    return found


def _has_keys(keywords: Mapping[str, Any], items: Node) -> bool:
    """Returns whether items have the keys of their list, if it has any."""
    if keywords.get("x-kubernetes-list-type") != "map":
        return True
    keys = keywords.get("x-kubernetes-list-map-keys", ())
    return "type" in items.keywords and all(key in items.properties for key in keys)


def cause(node: Node, error: str) -> str:
    """Returns the unknown type that prevents a rule from compiling; `""` for other causes."""
    names = _UNDEFINED.findall(error)
    if names:
        causes = [_holder(node, name) for name in names]
        return causes[0] if all(causes) else ""
    return node.lost_type() if any(text in error for text in _UNTYPED) else ""


def _holder(node: Node, name: str) -> str:
    """Returns the unknown type of a field, or else an unknown embedded type, which may declare the field."""
    parts = list(node.nodes())
    own = next((part for part in parts if name in part.properties and part.properties[name].lost_type()), None)
    if own is not None:
        return own.properties[name].lost_type()
    return next((part.lost for part in parts if part.lost and part.keywords.get("type") == "object"), "")


@dataclass(frozen=True, slots=True)
class Excess:
    """A rule that does not fit. `dropped` is True if the schema omits it.

    `again` is True for a weaker form that also checks unchanged values on update. `cost` and `limit` are the API
    server's. `unlimited` are the paths of the unlimited lists, maps and texts that cause the cost; `error` is another
    problem of the rule, and `lost` the unknown type that causes it.
    """

    rule: Rule
    cost: int
    limit: int
    unlimited: tuple[str, ...] = ()
    dropped: bool = False
    again: bool = False
    error: str = ""
    lost: str = ""


def render_times(cost: int, limit: int) -> str:
    """Returns how often a limit goes into a cost: `2.5 times`."""
    factor = cost / limit
    return f"{factor:.1f} times" if factor < 100 else "more than 100 times"


@dataclass(slots=True)
class _Placed:
    """A rule with its schema, and its cost there."""

    node: Node
    scope: Scope
    rule: Rule
    compiled: Compiled

    @property
    def cost(self) -> int:
        entry = self.rule.entry
        if not entry.message_expression:
            return self.compiled.cost
        message = compile_message(entry.message_expression, self.scope, optional_old_self=entry.optional_old_self)
        return self.compiled.cost + message.cost


def fit(node: Node) -> list[Excess]:
    """Fits the rules of a kind's schema into the cost limits. Returns the rules that were too expensive."""
    found: list[Excess] = []
    kept: list[_Placed] = []
    ruled: set[int] = set()
    if not _find_ruled(node, ruled):
        return found
    for owner, scope in _scopes(node, Scope(node.as_json()), ruled):
        for rule in list(owner.rules):
            placed = _place_rule(owner, scope, rule)
            if rule.minor and (placed.compiled.refusal or placed.compiled.error):
                owner.rules.remove(rule)
                continue
            if placed.compiled.error and not placed.compiled.cost:
                lost = cause(owner, placed.compiled.error)
                dropped = bool(rule.tag or lost)
                found.append(Excess(rule, 0, RULE_LIMIT, dropped=dropped, error=placed.compiled.error, lost=lost))
                if dropped:  # such as one about members of a type that is not spelt out
                    owner.rules.remove(rule)
                continue
            fitting = _fitting(placed, found)
            if fitting is not None:
                kept.append(fitting)
    total = sum(placed.cost for placed in kept)
    written = [placed for placed in kept if placed.rule.tag is None]
    if sum(placed.cost for placed in written) > CRD_LIMIT:  # leaving out others would not help
        worst = max(written, key=lambda placed: placed.cost)
        found.append(Excess(worst.rule, total, CRD_LIMIT, _find_unlimited(worst)))
        return found
    # minor rules are dropped first, if the others fit without them
    minor_first = sum(placed.cost for placed in kept if not placed.rule.minor) <= CRD_LIMIT
    for placed in sorted(kept, key=lambda placed: (minor_first and not placed.rule.minor, -placed.cost)):
        if total <= CRD_LIMIT:
            break
        if placed.rule.tag is None:
            continue
        total -= placed.cost
        cheaper = _cheaper(placed)
        if cheaper is not None and cheaper.cost < placed.cost // 2:
            total += cheaper.cost
            found.append(_reconsider(placed, CRD_LIMIT))
        else:
            placed.node.rules.remove((cheaper or placed).rule)
            _drop(placed, CRD_LIMIT, found)
    return found


def _find_ruled(node: Node, ruled: set[int]) -> bool:
    """Collects the ids of nodes with rules on them or below them. Returns whether the node is among these."""
    found = bool(node.rules)
    for part in (*node.properties.values(), node.items, node.values):
        if part is not None and _find_ruled(part, ruled):
            found = True
    if found:
        ruled.add(id(node))
    return found


def _scopes(node: Node, scope: Scope, ruled: set[int]) -> Iterator[tuple[Node, Scope]]:
    """Yields the nodes with an id in `ruled`, each before its parts, with their scopes."""
    yield node, scope
    for name, child in node.properties.items():
        if id(child) in ruled:
            yield from _scopes(child, scope.child(name), ruled)
    if node.items is not None and id(node.items) in ruled:
        yield from _scopes(node.items, scope.items(), ruled)
    if node.values is not None and id(node.values) in ruled:
        yield from _scopes(node.values, scope.values(), ruled)


def _place_rule(node: Node, scope: Scope, rule: Rule) -> _Placed:
    entry = rule.entry
    return _Placed(node, scope, rule, compile_rule(entry.rule, scope, optional_old_self=entry.optional_old_self))


def _fitting(placed: _Placed, found: list[Excess]) -> _Placed | None:
    """Returns the rule in a form within the cost limit of one rule; `None` if the schema has to omit it."""
    if placed.cost <= RULE_LIMIT:
        return placed
    if placed.rule.tag is None:
        found.append(Excess(placed.rule, placed.cost, RULE_LIMIT, _find_unlimited(placed)))
        return placed
    cheaper = _cheaper(placed)
    if cheaper is not None and cheaper.cost <= RULE_LIMIT:
        found.append(_reconsider(placed, RULE_LIMIT))
        return cheaper
    (cheaper or placed).node.rules.remove((cheaper or placed).rule)
    _drop(placed, RULE_LIMIT, found)
    return None


def _reconsider(placed: _Placed, limit: int) -> Excess:
    return Excess(placed.rule, placed.cost, limit, _find_unlimited(placed), again=True)


def _drop(placed: _Placed, limit: int, found: list[Excess]) -> None:
    """Replaces a rule that does not fit by a weaker keyword."""
    name = placed.rule.property
    if name:
        placed.node.required.add(name)
        value = placed.node.properties[name]
        if value.keywords.get("type") == "string" and "enum" not in value.keywords:
            value.demand("minLength", 1)
        found.append(_reconsider(placed, limit))
    elif not placed.rule.minor:
        found.append(Excess(placed.rule, placed.cost, limit, _find_unlimited(placed), dropped=True))


def _cheaper(placed: _Placed) -> _Placed | None:
    """Returns the cheaper form of a rule, put in its place."""
    if placed.rule.cheaper is None:
        return None
    rule = replace(placed.rule, entry=placed.rule.cheaper, cheaper=None)
    placed.node.rules[placed.node.rules.index(placed.rule)] = rule
    return _place_rule(placed.node, placed.scope, rule)


def _find_unlimited(placed: _Placed) -> tuple[str, ...]:
    """Returns the paths of unlimited values: from the top to the rule, and below it at the names in the rule."""
    found = []
    here: Scope | None = placed.scope
    while here is not None:
        if _lacks_limit(here.schema):
            found.append(_path(here))
        here = here.parent
    below = _find_unlimited_below(placed.scope.schema, _path(placed.scope), placed.rule.entry.rule)
    return (*reversed(found), *below)


@lru_cache(maxsize=64)
def _names(properties: tuple[str, ...]) -> dict[str, str]:
    """Returns properties by their names in rules."""
    return {escape_property(name) or name: name for name in properties}


def _find_unlimited_below(schema: Any, path: str, rule: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    known = _names(tuple(properties))
    message = {known[name] for name in re.findall(r"\.(\w+)", rule) if name in known}
    parts = [(f"{path}.{name}".removeprefix("."), part) for name, part in properties.items() if name in message]
    parts += [(f"{path}[*]", schema[inner]) for inner in ("items", "additionalProperties") if inner in schema]
    for inner, part in parts:
        if _lacks_limit(part):
            yield inner
        yield from _find_unlimited_below(part, inner, rule)


def _path(scope: Scope) -> str:
    """Converts the path of a schema to the path of its field: `spec.rules[*].name`."""
    path = ""
    here: Scope | None = scope
    while here is not None:
        path = here.step.replace("@", "[*]") + path
        here = here.parent
    return path.removeprefix(".")


def _lacks_limit(schema: Any) -> bool:
    match schema.get("type"):
        case "array":
            return "maxItems" not in schema
        case "object":
            return "additionalProperties" in schema and "maxProperties" not in schema
        case "string":
            return "maxLength" not in schema and "enum" not in schema
    return False
