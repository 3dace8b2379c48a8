"""Paths of fields in declarations, such as `spec.ports[*].name`, and operations on them.

`[*]` matches every item of a list or value of a map; a name with dots is written `metadata.labels['example.com/a']`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.webhooks.conversions.values import ABSENT, ConversionError, DeclarationError

#: Step to every item of a path.
EACH = None
#: One step of a path: a name, an index, or every item.
Step = str | int | None
_STEP = re.compile(r"\.?(?P<name>[^.\[\]'\"\s]+)|(?P<each>\[\*\])|\['(?P<single>[^']+)'\]|\[\"(?P<double>[^\"]+)\"\]")
#: Fields that only the library sets.
_OWN = (("apiVersion",), ("kind",))
#: Parts of metadata that a conversion may change.
FREE = ("labels", "annotations")


@dataclass(frozen=True, slots=True)
class Path:
    """A field, or the same one in every item of lists."""

    text: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return self.text

    @property
    def count(self) -> int:
        """Number of `[*]`."""
        return self.steps.count(EACH)

    def bound(self, chosen: tuple[Step, ...]) -> tuple[Step, ...]:
        """Returns the steps with the `[*]` replaced."""
        left = iter(chosen)
        return tuple(next(left) if step is EACH else step for step in self.steps)

    def places(self, obj: Any) -> Iterator[tuple[Step, ...]]:
        """Yields the indices that `[*]` means in an object, one tuple for each value; one empty tuple without `[*]`."""
        yield from _places(self.steps, obj, ())

    def begins(self, steps: tuple[Step, ...]) -> bool:
        """Returns whether the field is at the end of steps, or further."""
        return all(own is EACH or own == step for own, step in zip(self.steps, steps, strict=False))

    def covers(self, steps: tuple[Step, ...]) -> bool:
        """Returns whether steps lead to the field or into it."""
        if len(steps) < len(self.steps):
            return False
        return all(own is EACH or own == step for own, step in zip(self.steps, steps, strict=False))


def parse_path(text: object) -> Path:
    """Parses a path."""
    if not isinstance(text, str) or not text:
        raise DeclarationError(f"{text!r:.80} is not a path; write one such as 'spec.size'")
    steps: list[Step] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (match["name"] and bool(at) != (text[at] == ".")):
            rest = "it begins with a dot" if text.startswith(".") else f"it cannot be read at {text[at:]!r:.40}"
            raise DeclarationError(f"{text!r:.80} is not a path: {rest}; write one such as 'spec.ports[*].name'")
        steps.append(EACH if match["each"] else match["name"] or match["single"] or match["double"])
        at = match.end()
    found = tuple(steps)
    if found in _OWN or found[0] is EACH:
        raise DeclarationError(f"{text} is set by the library; leave it out")
    if found[0] == "metadata" and (len(found) < 3 or found[1] not in FREE):
        help = "name a label or an annotation, such as metadata.annotations['example.com/size']"
        raise DeclarationError(f"{text} cannot be converted: of metadata a conversion may change these alone; {help}")
    return Path(text, found)


def _places(steps: tuple[Step, ...], obj: Any, chosen: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    for index, step in enumerate(steps):
        if step is EACH:
            keys = range(len(obj)) if isinstance(obj, list) else list(obj) if isinstance(obj, dict) else ()
            for key in keys:
                yield from _places(steps[index + 1 :], obj[key], (*chosen, key))
            return
        if not isinstance(obj, dict) or step not in obj:
            # The value is absent; for a path without a later `[*]` the caller sees that by its value.
            if EACH not in steps[index:]:
                yield chosen
            return
        obj = obj[step]
    yield chosen


def get(obj: Any, steps: tuple[Step, ...]) -> Any:
    """Returns the value at a place, `ABSENT` if there is none."""
    for step in steps:
        if not _has(obj, step):
            return ABSENT
        obj = obj[step]
    return obj


def _has(obj: Any, step: Step) -> bool:
    if isinstance(obj, list):
        return isinstance(step, int) and step < len(obj)
    return isinstance(obj, dict) and step in obj


def take(obj: Any, steps: tuple[Step, ...]) -> Any:
    """Removes and returns the value at a place, with the containers that become empty, except for the outermost."""
    value = get(obj, steps)
    if value is ABSENT:
        return ABSENT
    containers = [obj]
    for step in steps[:-1]:
        containers.append(containers[-1][step])
    del containers[-1][steps[-1]]
    for length in range(len(steps) - 1, 1, -1):
        if containers[length] != {} or isinstance(steps[length - 1], int):
            break
        del containers[length - 1][steps[length - 1]]
    return value


def set_value(obj: Any, steps: tuple[Step, ...], value: Any) -> None:
    """Sets the value at a place, and creates missing containers."""
    for index, step in enumerate(steps[:-1]):
        inside = get(obj, (step,))
        if inside is ABSENT and isinstance(obj, dict) and isinstance(step, str):
            if isinstance(steps[index + 1], int):
                raise ConversionError(f"there is no {spelt(steps[: index + 2])}, in which {spelt(steps)} could be set")
            inside = obj[step] = {}
        if not isinstance(inside, dict | list):
            raise ConversionError(f"{spelt(steps[: index + 1])} is not an object, so that {spelt(steps)} cannot be set")
        obj = inside
    last = steps[-1]
    if not (isinstance(obj, dict) and isinstance(last, str)) and not _has(obj, last):
        raise ConversionError(f"{spelt(steps[:-1])} is not an object, so that {spelt(steps)} cannot be set")
    obj[last] = value


def spelt(steps: tuple[Any, ...]) -> str:
    """Formats the path of steps, for people."""
    text = ""
    for step in steps:
        if isinstance(step, str):
            text += f".{step}" if re.fullmatch(r"[A-Za-z0-9_$-]+", step) else f"[{step!r}]"
        elif isinstance(step, dict):
            text += f"[{', '.join(f'{name}: {value}' for name, value in step.items())}]"
        else:
            text += "[*]" if step is EACH or isinstance(step, list) else f"[{step}]"
    return text.removeprefix(".")
