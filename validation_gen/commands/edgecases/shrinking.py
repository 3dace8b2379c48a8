"""Makes a request as small as possible while a predicate holds, so that its cause is easy to see.

Parts are dropped as long as that holds, in the object and in the old one together or in one of them; then texts and
numbers become simple. In the end no single part can be dropped. Each call of the predicate may cost a round trip to
another program, so their number is limited, and results are cached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from validation_gen.commands.edgecases.steps import ABSENT, Steps, get, with_value

R = TypeVar("R")


def simpler(value: Any) -> Iterator[Any]:
    """Yields simpler values, the simplest first."""
    if isinstance(value, str):
        yield from _simpler_texts(value)
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int | float):
        yield from _simpler_numbers(value)
    elif value:
        yield {} if isinstance(value, dict) else []


def _simpler_texts(value: str) -> Iterator[str]:
    if value in ("", "a"):
        yield from [""] if value else []
        return
    candidates = ["", "a", value[: len(value) // 2], value[len(value) // 2 :], value[:-1], value[1:]]
    candidates.append("a" * len(value))
    candidates += [value.replace(char, "a") for char in sorted(set(value) - {"a"})[:4]]
    for candidate in dict.fromkeys(candidates):
        if (len(candidate), _oddness(candidate)) < (len(value), _oddness(value)):
            yield candidate


def _oddness(text: str) -> int:
    """Measures the distance of a text from one that consists of `a`."""
    return sum(1 for char in text if char != "a")


def _simpler_numbers(value: float) -> Iterator[float]:
    """Yields numbers nearer to zero; whole ones, and positive ones, are simpler."""
    candidates: list[float] = [0, 1, -1]
    if not isinstance(value, int):
        candidates.append(int(value))
    else:
        candidates += [-value, value // 2 if value > 0 else -(-value // 2), value - 1 if value > 0 else value + 1]
    for candidate in candidates:
        if (abs(candidate), candidate < 0, isinstance(candidate, float)) < (
            abs(value),
            value < 0,
            isinstance(value, float),
        ):
            yield candidate


def shrink(request: R, still_interesting: Callable[[R], bool], most: int = 1000) -> R:
    """Returns the smallest request found with at most `most` calls. The given one must satisfy the predicate.

    Args:
        request: the request to shrink, a dataclass with the fields of a `Probe`. It is not changed.
        still_interesting: the predicate for a smaller one.
        most: the maximum number of calls of `still_interesting`.
    """
    search = _Search(request, still_interesting, most)
    search.run()
    best: R = search.best
    return best


_OUT_OF_QUESTIONS = "no more questions"
_SIDES = ("obj", "old")


class _BudgetExhaustedError(Exception):
    pass


@dataclass(slots=True)
class _Search:
    best: Any
    ask: Callable[[Any], bool]
    left: int
    known: set[str] = field(default_factory=set)

    def run(self) -> None:
        self.known.add(_text(self.best))
        try:
            while self._round():
                pass
        except _BudgetExhaustedError:
            pass

    def _round(self) -> bool:
        """Tries every reduction once; returns whether one succeeded."""
        before = self.best
        self._drop_the_old()
        self._drop_options()
        self._drop_parts()
        self._simplify()
        return self.best is not before

    def _try(self, **changes: Any) -> bool:
        candidate = replace(self.best, **changes)
        text = _text(candidate)
        if text in self.known:
            return False
        self.known.add(text)
        if not self.left:
            raise _BudgetExhaustedError(_OUT_OF_QUESTIONS)
        self.left -= 1
        if self.ask(candidate):
            self.best = candidate
            return True
        return False

    # --- the parts around the object --------------------------------------------------------------------------------

    def _drop_the_old(self) -> None:
        if self.best.update and not self._try(update=False, old=None) and self.best.old is not None:
            self._try(old=None)

    def _drop_options(self) -> None:
        if self.best.options and not self._try(options={}):
            for name in sorted(self.best.options):
                self._try(options={key: state for key, state in self.best.options.items() if key != name})
        for name, state in sorted(self.best.options.items()):
            if state:
                self._try(options={**self.best.options, name: False})
        if self.best.subresource != "/":
            self._try(subresource="/")

    # --- parts ------------------------------------------------------------------------------------------------------

    def _drop_parts(self) -> None:
        """Drops members and items, those at the top first, and runs of long lists before single items."""
        for steps in self._everywhere():
            self._thin(steps)

    def _everywhere(self) -> Iterator[Steps]:
        """Yields the paths of all values, outer ones first. It skips values that are removed meanwhile."""
        waiting: list[Steps] = [()]
        while waiting:
            steps = waiting.pop(0)
            yield steps
            waiting += [(*steps, step) for step in self._below(steps)]

    def _below(self, steps: Steps) -> Iterator[str | int]:
        found: dict[str | int, None] = {}
        for obj in self._sides():
            found |= dict.fromkeys(_parts(get(obj, steps)))
        yield from (step for step in found if not self._is_kept((*steps, step)))

    def _sides(self) -> list[Any]:
        return [self.best.obj, self.best.old] if self.best.update else [self.best.obj]

    def _is_kept(self, steps: Steps) -> bool:
        """Returns whether a step identifies the kind of an object, which must stay."""
        obj = self.best.obj
        return steps in (("apiVersion",), ("kind",)) and isinstance(obj, dict) and obj.get("kind") == self.best.kind

    def _thin(self, steps: Steps) -> None:
        """Drops parts of one value: first halves, then quarters, and so on down to single parts."""
        size = len(list(self._below(steps)))
        run = size
        while run:
            start = 0
            while start < len(parts := list(self._below(steps))):
                chosen = parts[start : start + run]
                if not self._drop(steps, chosen):
                    start += run
            run //= 2

    def _drop(self, steps: Steps, parts: list[str | int]) -> bool:
        """Tries to drop parts from both objects of an update, then from one of them. Returns whether it has."""
        obj = _without(self.best.obj, steps, parts)
        if not self.best.update:
            return self._try(obj=obj)
        old = _without(self.best.old, steps, self._counterparts(steps, parts))
        return self._try(obj=obj, old=old) or self._try(obj=obj) or self._try(old=_without(self.best.old, steps, parts))

    def _counterparts(self, steps: Steps, parts: list[str | int]) -> list[str | int]:
        """Returns the indexes of the same items in the old list; equal ones first, else those with the same index."""
        new, old = get(self.best.obj, steps), get(self.best.old, steps)
        if not isinstance(new, list) or not isinstance(old, list):
            return parts
        found: list[str | int] = []
        for part in parts:
            item = new[part] if isinstance(part, int) and part < len(new) else ABSENT
            same = [index for index, each in enumerate(old) if each == item and index not in found]
            found += same[:1] or ([part] if part not in found else [])
        return found

    # --- values -----------------------------------------------------------------------------------------------------

    def _simplify(self) -> None:
        """Simplifies texts, numbers and whole parts, each at all its occurrences, then at single ones."""
        for value in self._values():
            for simple in simpler(value):
                obj, old = (_replace(each, value, simple) for each in (self.best.obj, self.best.old))
                if self._try(obj=obj, old=old):
                    break
        for steps in self._everywhere():
            self._simplify_at(steps)
        self._rename_keys()

    def _simplify_at(self, steps: Steps) -> None:
        """Simplifies a value: on both sides if it is the same there, then on each side."""
        if not steps:
            return
        new = get(self.best.obj, steps)
        is_same = self.best.update and new == get(self.best.old, steps)
        if new is not ABSENT:
            self._descend(steps, new, _SIDES if is_same else ("obj",))
        old = get(self.best.old, steps)
        if self.best.update and old is not ABSENT:
            self._descend(steps, old, ("old",))

    def _descend(self, steps: Steps, value: Any, sides: tuple[str, ...]) -> None:
        """Replaces a value by simpler ones as long as there is one."""
        moved = True
        while moved:
            moved = False
            for simple in simpler(value):
                if self._try(**{side: with_value(getattr(self.best, side), steps, simple) for side in sides}):
                    value, moved = simple, True
                    break

    def _values(self) -> list[Any]:
        """Returns the texts and numbers of both sides, each once, long ones first."""
        found: dict[str, Any] = {}
        waiting = list(self._sides())
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict | list):
                waiting += value.values() if isinstance(value, dict) else value
            elif value is not None:
                found.setdefault(json.dumps(value), value)
        told = {get(self.best.obj, way) for way in (("apiVersion",), ("kind",)) if self._is_kept(way)}
        return [
            value for _, value in sorted(found.items(), key=lambda each: (-len(each[0]), each[0])) if value not in told
        ]

    def _rename_keys(self) -> None:
        """Simplifies the keys of maps. To rename members of structs is useless, as they lose their values."""
        for steps in self._everywhere():
            for step in list(self._below(steps)):
                if isinstance(step, str) and len(step) > 1:
                    for simple in ("a", step[: len(step) // 2]):
                        obj, old = (_rename(each, steps, step, simple) for each in (self.best.obj, self.best.old))
                        if self._try(obj=obj, old=old):
                            break


def _text(request: Any) -> str:
    parts = [request.obj, request.old, request.update, dict(request.options), request.subresource]
    return json.dumps(parts, sort_keys=True, default=repr)


def _parts(value: Any) -> Iterator[str | int]:
    if isinstance(value, dict):
        yield from value
    elif isinstance(value, list):
        yield from range(len(value))


def _without(obj: Any, steps: Steps, parts: list[str | int]) -> Any:
    value = get(obj, steps)
    if isinstance(value, dict):
        return with_value(obj, steps, {key: each for key, each in value.items() if key not in parts})
    if isinstance(value, list):
        return with_value(obj, steps, [each for index, each in enumerate(value) if index not in parts])
    return obj


def _rename(obj: Any, steps: Steps, name: str, simple: str) -> Any:
    value = get(obj, steps)
    if not isinstance(value, dict) or name not in value or simple in value:
        return obj
    return with_value(obj, steps, {simple if key == name else key: each for key, each in value.items()})


def _replace(obj: Any, value: Any, simple: Any) -> Any:
    """Returns the object with another value at all occurrences."""
    if isinstance(obj, dict):
        return {key: _replace(each, value, simple) for key, each in obj.items()}
    if isinstance(obj, list):
        return [_replace(each, value, simple) for each in obj]
    return simple if obj.__class__ is value.__class__ and obj == value else obj
