"""Values that a version cannot represent: losses of a round trip, and their restoration.

An object is converted, and the result back at once. Where it differs from the object, the object's value is kept, with
a digest of the reverse result. A later reverse conversion runs on the possibly changed object. A value is restored
where its result is the same as before; where it differs, a user has changed the value, and the change counts. Values
inside a removed container are not restored. Nothing here knows the annotation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.webhooks.conversions.paths import Path, parse_path
from validation_gen.webhooks.conversions.values import (
    ABSENT,
    DeclarationError,
    compute_digest,
    digest,
    digest_text,
    same,
)

#: Default members that identify items of lists.
NAME = ("name",)
#: Path of a kept value: names, keys of an item, or the digest of an item, its number among equal ones, and their count.
_Steps = tuple[Any, ...]


@dataclass(frozen=True)
class UnrepresentableFields:
    """Fields of a version that the other version cannot represent.

    Attributes:
        fields: the declared ones, each with an optional place that must be unchanged, too.
        keys: the members that identify items, by list.
    """

    fields: tuple[tuple[Path, Path | None], ...] = ()
    keys: tuple[tuple[Path, tuple[str, ...]], ...] = ()

    def covering(self, steps: _Steps) -> Path | None:
        """Returns the declared field that contains a value, None if there is none."""
        return next((path for path, _ in self.fields if path.covers(steps)), None)

    def declared(self, entry: Entry) -> Path | None:
        """Returns the declared field that is, contains, or makes up a lost value; None if there is none."""
        found = self.covering(entry.at)
        for part in entry.parts if found is None else ():
            found = self.declared(part)
            if found is None:
                break
        return found

    def losses(self, entry: Entry) -> Iterator[tuple[Entry, Path | None]]:
        """Yields an entry with the declared field that covers it, or its parts if only some of these are declared."""
        found = self.declared(entry)
        if found is None and any(self.has_inside(part.at) or self.covering(part.at) for part in entry.parts):
            for part in entry.parts:
                yield from self.losses(part)
        else:
            yield entry, found

    def has_inside(self, steps: _Steps) -> bool:
        """Returns whether a declared field is a part of a value."""
        return any(len(path.steps) > len(steps) and path.begins(steps) for path, _ in self.fields)

    def needs_parts(self, steps: _Steps) -> bool:
        """Returns whether parts of a value have conditions of their own for their restoration."""
        return any(near and len(path.steps) > len(steps) and path.begins(steps) for path, near in self.fields)

    def beside(self, steps: _Steps) -> _Steps | None:
        """Returns the place that must be unchanged for a field to be restored."""
        for path, near in self.fields:
            if near is not None and path.covers(steps):
                chosen = tuple(step for own, step in zip(path.steps, steps, strict=False) if own is None)
                return near.bound(chosen)
        return None

    def names(self, steps: _Steps) -> tuple[str, ...] | None:
        """Returns the members that identify the items of a list; None if nothing is declared."""
        for path, names in self.keys:
            if len(path.steps) == len(steps) and path.covers(steps):
                return names
        return None


def parse_keys(given: object) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """Returns the lists of a declaration with their keys, as `{"spec.ports": ("name", "protocol")}`."""
    if not isinstance(given, dict):
        raise DeclarationError(f'keys is {given!r:.80}; write such as {{"spec.ports": "name"}}')
    found = []
    for text, told in given.items():
        names = (told,) if isinstance(told, str) else told
        if not isinstance(names, Sequence) or not names or not all(isinstance(name, str) and name for name in names):
            raise DeclarationError(f'{text}: the keys are {names!r:.80}; name members of its items, as "name"')
        found.append((parse_path(text), tuple(names)))
    return tuple(found)


# --- keeping ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A kept value.

    Attributes:
        at: its path.
        value: the value, `ABSENT` if only the reverse result has one.
        was: the digest of the reverse result there, empty if there is none.
        inside: the number of steps of the path that existed.
        beside: a place with its digest, which must be unchanged as well.
        made: the reverse result there, for reports; it is not kept.
    """

    at: _Steps
    value: Any
    was: str = ""
    inside: int = 0
    beside: tuple[_Steps, str] | None = None
    made: Any = field(default=ABSENT, compare=False)

    @property
    def parts(self) -> list[Entry]:
        """The members of an object that exists on one side only, as entries; empty for other values."""
        if isinstance(self.value, dict) and self.made is ABSENT:
            return [Entry((*self.at, name), value, inside=self.inside) for name, value in self.value.items()]
        if self.value is ABSENT and isinstance(self.made, dict):
            return [Entry((*self.at, name), ABSENT, made=value) for name, value in self.made.items()]
        return []


def find_losses(obj: Any, made: Any, keeps: UnrepresentableFields) -> list[Entry]:
    """Returns the values of an object that are missing or different after a round trip."""
    search = _Search(made, keeps)
    search.compare(obj, made, (), 0)
    return search.found


@dataclass
class _Search:
    made: Any
    keeps: UnrepresentableFields
    found: list[Entry] = field(default_factory=list)

    def compare(self, obj: Any, made: Any, steps: _Steps, inside: int) -> None:
        if isinstance(obj, dict) and isinstance(made, dict):
            for name in (*obj, *(name for name in made if name not in obj)):
                self.compare(obj.get(name, ABSENT), made.get(name, ABSENT), (*steps, name), len(steps))
        elif isinstance(obj, dict) and made is ABSENT and self.keeps.needs_parts(steps):
            for name, value in obj.items():
                self.compare(value, ABSENT, (*steps, name), inside)
        elif obj is made or same(obj, made):
            return
        elif isinstance(obj, list) and isinstance(made, list) and (pairs := self._pair_items(obj, made, steps)):
            for one, other, step in pairs:
                self.compare(one, other, (*steps, step), len(steps))
        else:
            self._keep(obj, made, steps, inside)

    def _pair_items(self, obj: list[Any], made: list[Any], steps: _Steps) -> list[tuple[Any, Any, Any]]:
        """Returns the items of two lists in pairs, each with the step that finds it again.

        Empty if they cannot be matched.
        """
        if len(obj) != len(made) or not all(isinstance(item, dict) for item in (*obj, *made)):
            return []
        names = self.keeps.names(steps) or NAME
        keys = [_key(item, names) for item in made]
        if None not in keys and keys == [_key(item, names) for item in obj]:
            texts = [digest(key) for key in keys]
            if len(set(texts)) == len(texts):
                return list(zip(obj, made, keys, strict=True))
        texts = [digest(item) for item in made]
        counts = Counter(texts)
        seen: Counter[str] = Counter()
        pairs = []
        for one, other, text in zip(obj, made, texts, strict=True):
            pairs.append((one, other, [text, seen[text], counts[text]]))
            seen[text] += 1
        return pairs

    def _keep(self, obj: Any, made: Any, steps: _Steps, inside: int) -> None:
        near = self.keeps.beside(steps)
        look = PathLookup()
        beside = None if near is None else (near, look.digest(look.found(self.made, near)))
        self.found.append(Entry(steps, obj, look.digest(made), inside, beside, made))


def _key(item: Any, names: Sequence[str]) -> dict[str, Any] | None:
    found = {name: item.get(name) for name in names}
    return found if all(isinstance(value, str | int) for value in found.values()) else None


# --- restoring -------------------------------------------------------------------------------------------------------

#: Limit of digested characters for one object, as a hostile annotation could ask for any number.
_MOST_DIGESTED = 64 << 20


class PathLookup:
    """Finds places in an object, which must not change meanwhile."""

    def __init__(self) -> None:
        self._left = _MOST_DIGESTED
        self._digests: dict[int, str] = {}
        self._items: dict[int, tuple[list[str] | None, dict[str, list[Any]]]] = {}

    def digest(self, value: Any) -> str:
        """Returns the digest of a value, empty for none."""
        if value is ABSENT:
            return ""
        if not isinstance(value, dict | list):
            return digest(value)
        if id(value) not in self._digests:
            if self._left <= 0:
                return "too much"
            text = digest_text(value)
            self._left -= len(text)
            self._digests[id(value)] = compute_digest(text)
        return self._digests[id(value)]

    def found(self, obj: Any, steps: _Steps) -> Any:
        """Returns the value at a path, `ABSENT` if there is none."""
        for step in steps:
            obj = self.step(obj, step)
            if obj is ABSENT:
                return ABSENT
        return obj

    def step(self, obj: Any, step: Any) -> Any:
        """Returns the value one step further."""
        if isinstance(step, str):
            return obj.get(step, ABSENT) if isinstance(obj, dict) else ABSENT
        if not isinstance(obj, list):
            return ABSENT
        if isinstance(step, dict):
            alike = self._find_alike(obj, list(step), digest(step))
            return alike[0] if len(alike) == 1 else ABSENT
        text, index, count = step
        alike = self._find_alike(obj, None, text)
        return alike[index] if len(alike) == count and 0 <= index < count else ABSENT

    def _find_alike(self, items: list[Any], names: list[str] | None, text: str) -> list[Any]:
        """Returns the items of a list whose members `names` have this text, or which have this digest.

        All paths into one list use the same method.
        """
        if id(items) not in self._items:
            by_text: dict[str, list[Any]] = {}
            for item in items:
                if isinstance(item, dict):
                    key = self.digest(item) if names is None else digest(_key(item, names))
                    by_text.setdefault(key, []).append(item)
            self._items[id(items)] = names, by_text
        known, by_text = self._items[id(items)]
        return by_text.get(text, []) if known == names else []


def restore(obj: Any, entries: Sequence[Entry]) -> None:
    """Restores kept values in an object, unless a user has changed them."""
    # All are found before any is restored, as the whole content may identify items.
    for enclosing, made, entry in list(_restorable(obj, entries)):
        value = entry.value
        for step in (*made, entry.at[-1])[:0:-1]:
            value = {step: value}
        name = (*made, entry.at[-1])[0]
        if value is ABSENT:
            enclosing.pop(name, None)
        else:
            _merge(enclosing, name, value)


def _merge(enclosing: dict[str, Any], name: str, value: Any) -> None:
    """Sets a missing value. For an existing object it sets only the missing parts."""
    now = enclosing.get(name, ABSENT)
    if isinstance(now, dict) and isinstance(value, dict):
        for part, each in value.items():
            _merge_new(now, part, each)
    else:
        enclosing[name] = value


def _merge_new(enclosing: dict[str, Any], name: str, value: Any) -> None:
    if name not in enclosing or (isinstance(enclosing[name], dict) and isinstance(value, dict)):
        _merge(enclosing, name, value)


def _restorable(obj: Any, entries: Sequence[Entry]) -> Iterator[tuple[dict[str, Any], _Steps, Entry]]:
    """Yields the valid entries, each with the innermost existing object around the value, and the steps to create."""
    look = PathLookup()
    for entry in entries:
        if entry.beside is not None and look.digest(look.found(obj, entry.beside[0])) != entry.beside[1]:
            continue
        enclosing: Any = obj
        made: _Steps = ()
        for index, step in enumerate(entry.at[:-1]):
            inside = ABSENT if made else look.step(enclosing, step)
            if inside is not ABSENT:
                enclosing = inside
            elif index < entry.inside or not isinstance(step, str):
                break  # its container is gone
            else:
                made = (*made, step)
        else:
            if isinstance(enclosing, dict):
                now = ABSENT if made else enclosing.get(entry.at[-1], ABSENT)
                # If a user has set the object meanwhile, the other parts are kept.
                grown = not entry.was and isinstance(now, dict) and isinstance(entry.value, dict)
                if grown or look.digest(now) == entry.was:
                    yield enclosing, made, entry
