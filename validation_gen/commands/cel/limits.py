"""Estimates the share of a rule's cost that comes from missing limits of a schema.

A list without `maxItems` may be as long as a request allows, and servers assume that length. To see the effect, the
rule is estimated again with each such limit set to 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel import RULE_LIMIT, Scope, compile_entry, escape
from validation_gen.kubernetes.objects.rule_stats import Keys, render_keys

#: Maximum number of limits that are tried one by one for a rule.
_MOST = 64
#: Formats of strings with a known length.
_KNOWN = ("duration", "date", "date-time")


@dataclass(frozen=True, slots=True)
class Missing:
    """A missing limit of a schema, and the factor by which it multiplies the cost of a rule."""

    place: str
    keyword: str
    factor: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Factors by which missing limits multiply the cost of a rule: together, and each alone with all others set."""

    factor: float = 1.0
    missing: tuple[Missing, ...] = ()


def find_keys(scope: Scope) -> Keys:
    """Returns the path from the root of a schema to a location."""
    found: list[str | int] = []
    here: Scope | None = scope
    while here is not None and here.parent is not None:
        if here.step == "@":
            found.append("items" if isinstance(here.parent.schema.get("items"), Mapping) else "additionalProperties")
        else:
            found += [here.step[1:], "properties"]
        here = here.parent
    return tuple(reversed(found))


def find_limits(root: Scope, keys: Keys, index: int, cost: int) -> Limits:
    """Returns the effect of missing limits on one rule of a schema, given its cost. Cheap rules need no limits."""
    if cost < RULE_LIMIT // 100:
        return Limits()
    missing = dict(_missing(root.schema, keys, _names(_at(root.schema, keys), index)))
    least = _cost(root, keys, index, missing) if missing else cost
    if least >= cost:
        return Limits()
    found = []
    for place, keyword in list(missing.items())[:_MOST]:
        others = {other: name for other, name in missing.items() if other != place}
        alone = _cost(root, keys, index, others)
        if alone > least:
            found.append(Missing(render_keys(place), keyword, alone / max(least, 1)))
    found.sort(key=lambda each: -each.factor)
    return Limits(cost / max(least, 1), tuple(found))


def _cost(root: Scope, keys: Keys, index: int, limits: Mapping[Keys, str]) -> int:
    """Returns the cost of a rule in a schema with additional limits."""
    scope = Scope(_add_limits(root.schema, limits), root.path, root.minor, root.stored, root.resource)
    steps = iter(keys)
    for key in steps:
        if key == "properties":
            scope = scope.child(str(next(steps)))
        else:
            scope = scope.items() if key == "items" else scope.values()
    return compile_entry(scope.schema["x-kubernetes-validations"][index], scope, index).cost


def _add_limits(schema: Any, limits: Mapping[Keys, str]) -> Any:
    """Returns a copy of a schema with limits of 1."""
    if not limits:
        return schema
    found = dict(schema)
    below: dict[str | int, dict[Keys, str]] = {}
    for keys, keyword in limits.items():
        if keys:
            below.setdefault(keys[0], {})[keys[1:]] = keyword
        else:
            found[keyword] = 1
    for key, inner in below.items():
        found[str(key)] = _add_limits(schema[key], inner)
    return found


# --- missing limits ---------------------------------------------------------------------------------------------------


def _missing(schema: Mapping[str, Any], keys: Keys, names: set[str]) -> Iterator[tuple[Keys, str]]:
    """Yields the missing limits above a rule, at its location, and below at the names in the rule."""
    for count in range(len(keys)):
        if count == 0 or keys[count - 1] != "properties":
            above = _at(schema, keys[:count])
            if above is not None and (keyword := _find_missing_limit(above)) not in (None, "maxLength"):
                yield keys[:count], str(keyword)
    yield from _below(_at(schema, keys) or {}, keys, names)


def _below(schema: Mapping[str, Any], keys: Keys, names: set[str]) -> Iterator[tuple[Keys, str]]:
    pending = [(schema, keys)]
    while pending:
        here, way = pending.pop()
        if (keyword := _find_missing_limit(here)) is not None:
            yield way, keyword
        inside = ("items", "additionalProperties")
        pending += [(here[key], (*way, key)) for key in inside if isinstance(here.get(key), Mapping)]
        for name, inner in (here.get("properties") or {}).items():
            if isinstance(inner, Mapping) and (escape(name) in names or name in names):
                pending.append((inner, (*way, "properties", name)))


def _find_missing_limit(schema: Mapping[str, Any]) -> str | None:
    """Returns the keyword of a missing limit."""
    keyword = None
    match schema.get("type"):
        case "array":
            keyword = "maxItems"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            keyword = "maxProperties"
        case "string" if schema.get("format") not in _KNOWN and not schema.get("enum"):
            keyword = "maxLength"
        case _ if schema.get("x-kubernetes-int-or-string"):
            keyword = "maxLength"
    return keyword if keyword is not None and schema.get(keyword) is None else None


def _at(schema: Any, keys: Keys) -> Any:
    for key in keys:
        schema = schema.get(key) if isinstance(schema, Mapping) else None
    return schema if isinstance(schema, Mapping) else None


def _names(schema: Mapping[str, Any] | None, index: int) -> set[str]:
    """Returns the names in a rule: limits of other fields do not matter.

    Comparisons of whole objects name no fields.
    """
    rule = ((schema or {}).get("x-kubernetes-validations") or [{}])[index]
    text = f"{rule.get('rule') or ''} {rule.get('messageExpression') or ''}"
    return set(re.findall(r"\w+", text)) | set(re.findall(r"`([^`]+)`", text))
