"""JSONPath of kubectl, for columns and selectable fields.

Source of the behaviour: `util/jsonpath` of `k8s.io/client-go`, with missing keys allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from validation_gen.runtime.gotext import go_json

_FIELD = re.compile(r"(?:[^\\.\[\]{}\s'\"()|]|\\.)+")
_FILTER = re.compile(
    r"\?\(\s*@((?:\.(?:[^\\.=!<>&|\s\[\]()]|\\.)+|\[\d+\])*)\s*(?:(==|!=|<=|>=|<|>)\s*(\"[^\"]*\"|'[^']*'|[^)\s]+)\s*)?\)"
)
_SLICE = re.compile(r"(-?\d*)(?::(-?\d*)(?::(-?\d*))?)?")
#: Values that one path may select.
_MOST_VALUES = 10_000

Step = Callable[[list[Any]], Iterator[Any]]


class JsonPathError(ValueError):
    """A path is malformed, or does not fit a value."""


class JsonPath:
    """A path such as `.spec.ports[0].name`, `.status.conditions[?(@.type=="Ready")].status`."""

    def __init__(self, text: str) -> None:
        self._steps: list[Step] = []
        self._parse(text)

    def find(self, obj: Any) -> list[Any]:
        """Returns the selected values.

        Raises:
            JsonPathError: a step does not fit a value.
        """
        found = [obj]
        for step in self._steps:
            following = []
            for value in step(found):
                following.append(value)
                if len(following) > _MOST_VALUES:
                    raise JsonPathError("too many values")
            found = following
        return found

    def _parse(self, text: str) -> None:
        at = 0
        while at < len(text):
            if text.startswith("..", at):
                match = _FIELD.match(text, at + 2)
                if match is None:
                    raise JsonPathError(f"invalid path {text}")
                self._steps.append(_descend(_unescape(match[0])))
                at = match.end()
            elif text[at] == ".":
                match = _FIELD.match(text, at + 1)
                if match is None:
                    if at + 1 < len(text) and text[at + 1] != "[":
                        raise JsonPathError(f"invalid path {text}")
                    at += 1
                    continue
                self._steps.append(_wild if match[0] == "*" else _member(_unescape(match[0])))
                at = match.end()
            elif text[at] == "[":
                at = self._brackets(text, at + 1)
            else:
                raise JsonPathError(f"invalid path {text}")

    def _brackets(self, text: str, at: int) -> int:
        match = _FILTER.match(text, at)
        if match is not None and text.startswith("]", match.end()):
            self._steps.append(_filter(match[1], match[2], match[3]))
            return match.end() + 1
        end = text.find("]", at)
        if end < 0:
            raise JsonPathError(f"unterminated array in {text}")
        inner = text[at:end].strip()
        if inner == "*":
            self._steps.append(_wild)
        elif len(inner) > 1 and inner[0] == inner[-1] and inner[0] in "'\"":
            self._steps.append(_member(inner[1:-1]))
        elif "," in inner:
            self._steps.append(_union([part.strip() for part in inner.split(",")]))
        else:
            found = _SLICE.fullmatch(inner)
            if found is None or not inner:
                raise JsonPathError(f"invalid array index {inner}")
            self._steps.append(_slice(inner, found))
        return end + 1


def to_text(value: Any) -> str:
    """Returns a selected value as a text: empty for null, and JSON for what is no text."""
    return value if isinstance(value, str) else "" if value is None else go_json(value)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _member(name: str) -> Step:
    def step(values: list[Any]) -> Iterator[Any]:
        for value in values:
            if isinstance(value, dict) and name in value:
                yield value[name]

    return step


def _wild(values: list[Any]) -> Iterator[Any]:
    for value in values:
        yield from value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _descend(name: str) -> Step:
    def step(values: list[Any]) -> Iterator[Any]:
        waiting = list(values)
        while waiting:
            value = waiting.pop(0)
            if isinstance(value, dict):
                if name == "*":
                    yield from value.values()
                elif name in value:
                    yield value[name]
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)

    return step


def _union(parts: list[str]) -> Step:
    def step(values: list[Any]) -> Iterator[Any]:
        for value in values:
            for part in parts:
                if part[:1] in "'\"":
                    yield from _member(part[1:-1])([value])
                elif re.fullmatch(r"-?\d+", part) and isinstance(value, list) and -len(value) <= int(part) < len(value):
                    yield value[int(part)]

    return step


def _slice(text: str, match: re.Match[str]) -> Step:
    numbers = [int(part) if part else None for part in match.groups()]

    def step(values: list[Any]) -> Iterator[Any]:
        for value in values:
            if value is None:
                continue
            if not isinstance(value, list):
                raise JsonPathError("is not array or slice")
            if ":" in text:
                yield from value[numbers[0] : numbers[1] : numbers[2] or 1]
            else:
                index = numbers[0] or 0
                if not -len(value) <= index < len(value):
                    raise JsonPathError(f"array index out of bounds: index {index}, length {len(value)}")
                yield value[index]

    return step


def _filter(path: str, operator: str | None, literal: str | None) -> Step:
    inner = JsonPath(path)
    wanted: Any = literal
    if literal is not None and literal[:1] in "'\"":
        wanted = literal[1:-1]
    elif literal in ("true", "false"):
        wanted = literal == "true"
    elif literal is not None:
        try:
            wanted = float(literal) if "." in literal else int(literal)
        except ValueError:
            raise JsonPathError(f"unrecognized identifier {literal}") from None

    def holds(item: Any) -> bool:
        found = inner.find(item)
        if operator is None:
            return bool(found)
        if not found:
            return False
        value = found[0]
        if operator in ("==", "!="):
            same = type(value) is type(wanted) and value == wanted
            return same if operator == "==" else not same
        if type(value) is not type(wanted) or isinstance(value, bool):
            return False
        return bool({"<": value < wanted, ">": value > wanted, "<=": value <= wanted, ">=": value >= wanted}[operator])

    def step(values: list[Any]) -> Iterator[Any]:
        for value in values:
            if isinstance(value, list):
                yield from (item for item in value if holds(item))

    return step
