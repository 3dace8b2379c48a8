"""Choices, and paths through an object: reads and changes the value at the end, and resolves the path of an error.

A `Source` of choices has random numbers, a strategy of a test, or always the first choice. Drawing code does not know
which. So a fuzzer, tests and the search for the smallest object share the same code.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from validation_gen.commands.edgecases.value_specs import ValueSpec
from validation_gen.ir import ListOf, MapOf, StructRef

Step = str | int
#: Names, keys and indexes from the object down.
Steps = tuple[Step, ...]


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


#: Marks a missing value, in contrast to null.
ABSENT: Any = _Absent()

_INDEX = re.compile(r"\[(\d+)\]")


def get(obj: Any, steps: Steps) -> Any:
    """Returns the value at the end, `ABSENT` if there is none."""
    for step in steps:
        if isinstance(obj, dict):
            obj = obj.get(step, ABSENT)
        elif isinstance(obj, list) and isinstance(step, int) and step < len(obj):
            obj = obj[step]
        else:
            return ABSENT
    return obj


def with_value(obj: Any, steps: Steps, value: Any) -> Any:
    """Returns a copy with another value at the end, or with `ABSENT`. Missing parents are created."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = list(obj) if isinstance(obj, list) else []
        if step >= len(items):
            if value is ABSENT:
                return obj
            items.append(with_value(None, rest, value))
        elif not rest and value is ABSENT:
            del items[step]
        else:
            items[step] = with_value(items[step], rest, value)
        return items
    members = dict(obj) if isinstance(obj, dict) else {}
    if value is ABSENT and (not rest or step not in members):
        members.pop(step, None)
        return members if isinstance(obj, dict) else obj
    members[step] = with_value(members.get(step), rest, value)
    return members


def locate(path: str, spec: ValueSpec, obj: Any) -> tuple[Steps, list[ValueSpec]]:
    """Resolves the path of an error as far as possible, and returns the places along it.

    Neither names nor keys are quoted in paths, so the places and the object resolve the ambiguity.
    """
    rest = "" if path == "<nil>" else path if path.startswith("[") else f".{path}"
    steps: list[Step] = []
    places = [spec]
    if isinstance(spec.value, StructRef):
        # The name of an inlined struct begins some paths; it is no step.
        for name in _find_inlined(spec):
            if _strip_step(rest, f".{name}") is not None and name not in spec.paths:
                rest = rest.removeprefix(f".{name}")
                break
    while rest:
        found = _step(places[-1], rest, obj)
        if found is None:
            break
        step, rest, below = found
        steps.append(step)
        places.append(below)
        obj = get(obj, (step,))
    return tuple(steps), places


def _find_inlined(spec: ValueSpec) -> list[str]:
    assert isinstance(spec.value, StructRef)
    return [f.inlined for plan in spec.places.plans(spec.value.id) for f in plan.fields if f.inlined]


def _step(spec: ValueSpec, rest: str, obj: Any) -> tuple[Step, str, ValueSpec] | None:
    shape = spec.value
    if isinstance(shape, ListOf):
        index = _INDEX.match(rest)
        return (int(index[1]), rest[index.end() :], spec.elem) if index else None
    if isinstance(shape, MapOf):
        keys = sorted(obj if isinstance(obj, dict) else (), key=lambda key: -len(key))
        for key in keys:
            rest_of_path = _strip_step(rest, f"[{key}]")
            if rest_of_path is not None:
                return key, rest_of_path, spec.elem
        return None
    # The longest name wins. A struct may have thousands of members, and a path has few ends of names.
    ends = [end for end in range(len(rest), 0, -1) if rest[end : end + 1] in ("", ".", "[")]
    for end in ends if rest.startswith(".") else ():
        name = spec.paths.get(rest[1:end])
        if name is not None and name in spec.members:
            return name, rest[end:], spec.members[name]
    return None


def _strip_step(rest: str, written: str) -> str | None:
    """Returns the rest of a path behind its first step, `None` if that is another step."""
    if rest.startswith(written) and (rest == written or rest[len(written)] in ".["):
        return rest[len(written) :]
    return None


T = TypeVar("T")


class Source(Protocol):
    """Makes choices."""

    def below(self, count: int) -> int:
        """Returns a number from 0 to `count - 1`."""

    def chance(self, share: float) -> bool:
        """Returns true in that share of cases."""


class RandomSource:
    """Choices of a random number generator."""

    __slots__ = ("_random",)

    def __init__(self, random: random.Random) -> None:
        self._random = random.random

    def below(self, count: int) -> int:
        return int(self._random() * count)

    def chance(self, share: float) -> bool:
        return self._random() < share


class First:
    """Deterministic source that always chooses the smallest value."""

    __slots__ = ()

    def below(self, count: int) -> int:
        return 0

    def chance(self, share: float) -> bool:
        return False


def make_random_source(*parts: object) -> RandomSource:
    """Returns choices that depend only on some texts and numbers."""
    return RandomSource(random.Random("\n".join(map(str, parts))))  # noqa: S311 - nothing here is a secret


def pick(source: Source, values: Sequence[T]) -> T:
    """Returns one of some values."""
    return values[source.below(len(values))]
