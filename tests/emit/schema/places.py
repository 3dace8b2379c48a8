"""Finds the place of an error in an object: what its path means by the schema, and whether an old value is known there.

The API server and the validators write the keys of maps in different ways, and neither quotes them. With the schema and
the objects at hand a path can be read all the same.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_ABSENT = object()
#: In the place of the old object where there is none.
_UNKNOWN = object()
_IS_OPEN = "x-kubernetes-preserve-unknown-fields"
_INDEX = re.compile(r"\[(\d+)\]")


class Old(enum.Enum):
    """What the API server knows of the old value at a place."""

    THERE = "there"
    ABSENT = "absent"
    LOST = "lost"  # below a list that is not a map, or a struct or map that is replaced as a whole


@dataclass(frozen=True, slots=True)
class Place:
    """A place in an object.

    Attributes:
        steps: What leads there: names, keys and indices.
        old: What is known of the old value there.
        before: The same of the value around.
        element: Whether the last step is an index or a key of a map.
        required: Whether the schema of the object around requires a value.
        cut: Whether the schema ends here or on the way.
        twice: Whether an item on the way is identified by keys that another has, too.
        absent: Whether there is no value.
        unchanged: Whether old and new value are the same.
        same: Whether they are the same but for how they are written.
        filled: Whether they are the same where lists of zero values are as good as none, as arrays are.
        kept: Whether it is a list all of whose items have been there, but for how they are written.
        reordered: Whether it is a set or map of which old and new value have the same items.
        zeros: Whether the value, the one around, or the old one has a zero value that is written.
        container: The list type of a list, `object` for an object, else empty.
    """

    steps: tuple[str, ...]
    old: Old = Old.THERE
    before: Old = Old.THERE
    element: bool = False
    required: bool = False
    cut: bool = False
    twice: bool = False
    absent: bool = False
    unchanged: bool = False
    same: bool = False
    filled: bool = False
    kept: bool = False
    reordered: bool = False
    zeros: bool = False
    container: str = ""

    @property
    def list(self) -> tuple[str, ...]:
        """The steps to the innermost list, for an error at an item of it or below."""
        for end in range(len(self.steps), 0, -1):
            if self.steps[end - 1].startswith("["):
                return self.steps[: end - 1]
        return ()

    def is_below(self, steps: tuple[str, ...]) -> bool:
        return len(self.steps) > len(steps) and self.steps[: len(steps)] == steps

    def __str__(self) -> str:
        return ".".join(re.sub(r"^\[\d+\]$", "[*]", step) for step in self.steps) or "the root"


def locate(path: str, schema: Schema, new: Any, old: Any) -> Place:
    """The place that a path means. What cannot be followed is kept in one piece."""
    walk = _Walk("" if path == "<nil>" else path, schema, new, _UNKNOWN if old is None else old)
    while walk.step():
        pass
    return walk.place()


class _Walk:
    """Goes down a schema, an object and its old state at once."""

    def __init__(self, path: str, schema: Schema, new: Any, old: Any) -> None:
        self.rest, self.schema, self.new, self.old = path, schema, new, old
        self.around: Any = None
        self.steps: list[str] = []
        self.known = self.before = Old.THERE
        self.element = self.required = self.cut = self.twice = False

    def place(self) -> Place:
        kind, list_type = self.schema.get("type"), self.schema.get("x-kubernetes-list-type", "atomic")
        known = self.known is not Old.LOST and self.old is not _UNKNOWN
        same = known and _bare(self.new) == _bare(self.old)
        kept = known and _within(self.new, self.old)
        return Place(
            tuple(self.steps),
            self.known,
            self.before,
            self.element,
            self.required,
            self.cut or (kind == "object" and _IS_OPEN in self.schema),
            self.twice,
            absent=self.new is None,
            unchanged=known and self.old == (_ABSENT if self.new is None else self.new),
            same=same,
            filled=same or (known and _bare(self.new, arrays=True) == _bare(self.old, arrays=True)),
            kept=kept,
            reordered=kept and list_type != "atomic" and _within(self.old, self.new),
            zeros=any(map(_has_zeros, (self.new, self.old, self.around))),
            container=list_type if kind == "array" else "object" if kind == "object" else "",
        )

    def step(self) -> bool:
        """Follows one element of the path."""
        if not self.rest:
            return False
        schema = self.schema
        if schema.get("type") == "array" and (match := _INDEX.match(self.rest)):
            self._item(int(match[1]))
            self._to(match[0], self.rest[match.end() :], schema.get("items", {}), element=True)
            return True
        values = schema.get("additionalProperties")
        names = [(name, part, False) for name, part in schema.get("properties", {}).items()]
        if isinstance(values, dict):
            names += [(key, values, True) for key in {*_keys(self.new), *_keys(self.old)}]
        for name, part, element in sorted(names, key=lambda found: -len(found[0])):
            if (rest := _behind(self.rest, name)) is not None:
                self._member(name)
                self._to(name, rest, part, element=element)
                return True
        self.cut = _IS_OPEN in schema
        self.steps.append(self.rest)
        return False

    def _to(self, step: str, rest: str, schema: Schema, *, element: bool) -> None:
        self.steps.append(step)
        self.rest, self.schema, self.element = rest, schema, element

    def _member(self, name: str) -> None:
        self.required = name in self.schema.get("required", ())
        self.around = self.new
        self.new = self.new.get(name) if isinstance(self.new, dict) else None
        old = self.old.get(name, _ABSENT) if isinstance(self.old, dict) else _ABSENT
        self._was(old, lost=self.schema.get("x-kubernetes-map-type") == "atomic")

    def _item(self, index: int) -> None:
        self.required = False
        items = self.new if isinstance(self.new, list) else []
        self.around, self.new = None, items[index] if index < len(items) else None
        if self.schema.get("x-kubernetes-list-type") != "map":
            self._was(_ABSENT, lost=True)
            return
        names = self.schema["x-kubernetes-list-map-keys"]
        olds = self.old if isinstance(self.old, list) else []
        same, others = ([i for i in them if _same_item(i, self.new, names)] for them in (olds, items))
        self.twice |= len(same) > 1 or len(others) > 1
        self._was(same[0] if same else _ABSENT)

    def _was(self, old: Any, *, lost: bool = False) -> None:
        self.before = self.known
        if self.old is not _UNKNOWN:
            self.old = old
        if self.known is Old.THERE:
            self.known = Old.LOST if lost else Old.ABSENT if old is _ABSENT else Old.THERE


def _behind(rest: str, name: str) -> str | None:
    """What stands behind a name or key at the beginning of a path, `None` if that is not the name."""
    for written in (f"[{name}]", f"['{name}']", f".{name}", name):
        if rest.startswith(written) and (rest == written or rest[len(written)] in ".["):
            return rest[len(written) :]
    return None


def _keys(value: Any) -> Iterator[str]:
    yield from value if isinstance(value, dict) else ()


def _same_item(a: Any, b: Any, names: list[str]) -> bool:
    return isinstance(a, dict) and isinstance(b, dict) and all(a.get(n) == b.get(n) for n in names)


def _bare(value: Any, *, arrays: bool = False) -> Any:
    """Returns a value without what is zero, for which `None` stands, and with numbers as texts.

    Of lists, those of zero values are zero if they are `arrays`.
    """
    if isinstance(value, dict):
        return {k: bare for k, v in value.items() if (bare := _bare(v, arrays=arrays)) is not None} or None
    if isinstance(value, list):
        items = [_bare(v, arrays=arrays) for v in value]
        return None if arrays and not any(items) else items or None
    return None if value is None or value is _ABSENT or value in ("", 0) else str(value)


def _within(some: Any, others: Any) -> bool:
    """Whether all items of a list are among others."""
    if not isinstance(some, list) or not isinstance(others, list):
        return False
    known = [_bare(item) for item in others]
    return all(_bare(item) in known for item in some)


def _has_zeros(value: Any) -> bool:
    """Whether a value that is there is zero, or one of its parts is."""
    if value is None or value is _ABSENT or value is _UNKNOWN:
        return False
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return _is_zero(value) or any(map(_is_zero, parts))


def _is_zero(value: Any) -> bool:
    """Tells whether `_bare` returns `None`."""
    if isinstance(value, dict):
        return all(map(_is_zero, value.values()))
    return not value if isinstance(value, list) else value is None or value is _ABSENT or value in ("", 0)
