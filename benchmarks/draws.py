"""Objects by the hundred, drawn by their rules from a seed: right ones, damaged ones, and variants of one object.

What the contenders judge differently by design is not drawn: `null`, which Go takes for an absent value; numbers such
as `1.0`, which are integers to JSON Schema; line breaks, which Python's `$` overlooks; an empty `metadata.name`;
quantities at the edge of what Go reads; and another `apiVersion` or `kind`, which would ask for another validator.
"""

from __future__ import annotations

import random
from typing import Any

from benchmarks.objects import GONE, JSON, Path, copy_of, edited
from benchmarks.rules import (
    TIME,
    Amount,
    Anything,
    Items,
    Mapped,
    Rule,
    Struct,
    Text,
    Truth,
    Whole,
    WholeOrText,
    places,
)

_WORDS = ("amber", "birch", "cedar", "dune", "elm", "fern", "glade", "heath", "iris", "juniper", "kelp", "larch")
_QUANTITIES = ("1", "250m", "1.5Gi", "2e3", "0", "64Mi", "0.5", "-1")
_NO_QUANTITIES = ("much", "1 Gi", "1Gib", "--1", "1.2.3", "Mi1")
_TIMES = ("2024-05-01T12:00:00Z", "2023-11-30T23:59:59+02:00")
_TEXTS = ("x", "a-b", "a.b", "UPPER", "ünïcode", "two words", "trailing-", "/slash", "under_score", "0", "a" * 70, "")
_NUMBERS = (-1, 0, 1, 2, 100, 101, 511, 512, 65535, 65536, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 2**63, 10**25)
_OTHERS: tuple[JSON, ...] = ("text", 7, 1.5, True, [], {}, ["x"], {"x": 1})
#: Below this depth only what must be there is drawn.
_DEPTH = 9


class Draw:
    """A source of objects of one kind."""

    def __init__(self, kind: Struct, api_version: str, name: str, seed: int) -> None:
        self._kind, self._identity = kind, {"apiVersion": api_version, "kind": name}
        self._random = random.Random(seed)  # noqa: S311 - the same objects every time are what is wanted
        self._count = 0

    def valid(self) -> JSON:
        """An object that keeps all rules, with parts that real ones rarely have."""
        return {**self._struct(self._kind, 0), **self._identity}

    def damaged(self, obj: JSON) -> JSON:
        """A copy with one to three changes, which may break rules or not."""
        for _ in range(self._random.choice((1, 1, 2, 3))):
            obj = self._changed(obj)
        return obj

    # --- right values -------------------------------------------------------------------------------------------------

    def _value(self, rule: Rule, depth: int) -> JSON:
        pick = self._random.choice
        match rule:
            case Text():
                return self._text(rule)
            case Whole(least=least, most=most):
                return self._random.randint(max(least, -5), min(most, max(least, 0) + 200))
            case Truth():
                return pick((True, False))
            case WholeOrText():
                return pick((80, 8080, "http", "25%"))
            case Amount():
                return pick((*_QUANTITIES, 2, 0.5))
            case Anything():
                return {"f:spec": {}}
            case Items(item=item, least=least, keys=keys):
                items = [self._value(item, depth + 1) for _ in range(self._random.randint(least or 0, 3))]
                known = {tuple(map(each.get, keys)): each for each in items} if keys else {}
                return list(known.values()) if keys else items
            case Mapped(value=value):
                return {self._word(): self._value(value, depth + 1) for _ in range(self._random.randint(0, 3))}
            case Struct():
                return self._struct(rule, depth)

    def _struct(self, rule: Struct, depth: int) -> JSON:
        wanted = 0.0 if depth >= _DEPTH else min(1.0, 3 / len(rule.members))
        return {
            name: self._value(member, depth + 1)
            for name, member in rule.members.items()
            if name in rule.required or self._random.random() < wanted
        }

    def _text(self, rule: Text) -> str:
        if rule.values:
            return self._random.choice(rule.values)
        if rule.pattern == TIME:
            return self._random.choice(_TIMES)
        # A word of lower case keeps every other pattern and every limit.
        return self._word()

    def _word(self) -> str:
        self._count += 1
        return f"{self._random.choice(_WORDS)}{self._count % 10_000}"

    # --- changes ------------------------------------------------------------------------------------------------------

    def _changed(self, obj: JSON) -> JSON:
        found = [(path, rule) for path, rule in places(self._kind, obj) if path and path[0] not in self._identity]
        if not found:
            return obj
        path, rule = self._random.choice(found)
        change = self._random.choice((self._replaced, self._replaced, self._gone, self._mistyped, self._more))
        edit = change(rule, path, obj)
        return edited(obj, (path, edit)) if edit is not None else obj

    def _gone(self, rule: Rule, path: Path, obj: JSON) -> Any:
        return GONE

    def _mistyped(self, rule: Rule, path: Path, obj: JSON) -> Any:
        return copy_of(self._random.choice(_OTHERS))

    def _replaced(self, rule: Rule, path: Path, obj: JSON) -> Any:
        pick = self._random.choice
        match rule:
            case Text(pattern=pattern) if pattern == TIME:
                return pick((*_TIMES, "yesterday", "2024-05-01", ""))
            case Text(max_length=most):
                limits = () if most is None else ("b" * most, "b" * (most + 1), "é" * most)
                texts = (*_TEXTS, *limits, *rule.values)
                return pick([text for text in texts if text or tuple(path) != ("metadata", "name")])
            case Whole(least=least, most=most):
                return pick((*_NUMBERS, least, least - 1, most, most + 1))
            case WholeOrText():
                return pick((*_NUMBERS, "http", "", "25%"))
            case Amount():
                return pick((*_QUANTITIES, *_NO_QUANTITIES, 3, 0.25, 10**20))
        return self._mistyped(rule, path, obj)

    def _more(self, rule: Rule, path: Path, obj: JSON) -> Any:
        """One more item or member: a duplicate, an unknown name, or as many as there may be and one."""
        value = obj
        for step in path:
            value = value[step]
        value = copy_of(value)
        match rule:
            case Items(most=most) if isinstance(value, list) and value:
                times = self._random.choice((1, 1, most or 1))
                return value + [copy_of(self._random.choice(value)) for _ in range(times)]
            case Struct() if isinstance(value, dict):
                return {**value, "unknown": self._random.choice((1, "x", [], {}))}
            case Mapped() if isinstance(value, dict):
                return {**value, "another": self._random.choice(("x", "not a label", 1))}
        return None


def variants(kind: Struct, obj: JSON, number: int) -> list[JSON]:
    """Copies of a valid object in which no free text occurs twice, as in a stream of objects of many owners."""
    found = []
    for count in range(number):
        edits: list[tuple[Path, Any]] = []
        for path, rule in places(kind, obj):
            if not isinstance(rule, Text) or rule.values or path[0] in ("apiVersion", "kind"):
                continue
            value = _at(obj, path)
            edits.append((path, f"{value}{count}"))
        found.append(edited(obj, *edits))
    return found


def _at(value: JSON, path: Path) -> JSON:
    for step in path:
        value = value[step]
    return value
