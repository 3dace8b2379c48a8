"""Where the parts of an object stand in the text that it was read from.

Values are looked up when something is said of them, and not earlier: most objects give no reason to. Whoever reads a
text keeps it, with the node of the object in it, in a `Positions`; nothing here reads a file or judges a value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from validation_gen.diagnostics import Span

#: The way from an object to one of its parts: names of fields and indices of items.
Path = Sequence[str | int]

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Positions:
    """The places in one object.

    `root` is the node of the document in `text`, or the offset where a document begins that is JSON. `path` leads from
    the document to the object, and `line` counts the lines of the file before the text.
    """

    file: str
    text: str = field(repr=False)
    root: yaml.Node | int = field(repr=False)
    path: tuple[str | int, ...] = ()
    line: int = 0

    def span(self, path: Path) -> Span:
        """Where a part stands: a scalar itself, others by their names; of what is missing, what should hold it."""
        way = [*self.path, *path]
        if isinstance(self.root, int):
            return self._span(*_in_json(self.text, self.root, way))
        return self._span(*_in_yaml(self.root, way))

    def _span(self, start: int, end: int) -> Span:
        begin = self.text.rfind("\n", 0, start) + 1
        stop = self.text.find("\n", start)
        end = min(end, len(self.text) if stop < 0 else stop)
        column = start - begin + 1
        line = self.line + self.text.count("\n", 0, start) + 1
        return Span(self.file, line, column, max(end - begin + 1, column + 1))


# --- YAML -------------------------------------------------------------------------------------------------------------


def _in_yaml(node: yaml.Node, way: Path) -> tuple[int, int]:
    """The offsets of a part's first and last character, exclusive."""
    name = node
    for step in way:
        found = _entry(node, step)
        if found is None:
            return _ends(name)
        name, node = found
    return _ends(node if isinstance(node, yaml.ScalarNode) and node.value else name)


def _entry(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The name and the value of one entry; an item is its own name. Keys that are merged in count where they stand."""
    if isinstance(node, yaml.SequenceNode):
        return (node.value[step],) * 2 if isinstance(step, int) and step < len(node.value) else None
    if not isinstance(node, yaml.MappingNode):
        return None
    merged: list[yaml.Node] = []
    for key, value in node.value:
        if key.value == step:
            return key, value
        if key.value == "<<":
            merged += value.value if isinstance(value, yaml.SequenceNode) else [value]
    return next((found for source in merged if (found := _entry(source, step))), None)


def _ends(node: yaml.Node) -> tuple[int, int]:
    start: int = node.start_mark.index
    if isinstance(node, yaml.ScalarNode):
        return start, node.end_mark.index
    return start, start + 1


# --- JSON -------------------------------------------------------------------------------------------------------------


def _in_json(text: str, start: int, way: Path) -> tuple[int, int]:
    """The same for text that is known to be JSON."""
    at = start
    name = (start, start + 1)
    for step in way:
        found = _member(text, at, step)
        if found is None:
            return name
        name, at = found
    return name if text[at] in "{[" else (at, _end(text, at))


def _member(text: str, at: int, step: str | int) -> tuple[tuple[int, int], int] | None:
    """The ends of the name, and the beginning of the value, of one member of the object or list at an offset."""
    if text[at] not in ("{" if isinstance(step, str) else "["):
        return None
    count = 0
    at = _next(text, at + 1)
    while text[at] not in "}]":
        name: tuple[int, int] = (at, at + 1)
        key: Any = count
        if isinstance(step, str):
            key, end = _DECODER.raw_decode(text, at)
            name = (at, end)
            at = _next(text, _next(text, end) + 1)
        if key == step:
            return name, at
        count += 1
        at = _next(text, _end(text, at))
        at = _next(text, at + 1) if text[at] == "," else at
    return None


def _next(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _end(text: str, at: int) -> int:
    return _DECODER.raw_decode(text, at)[1]
