"""Positions of the parts of an object in its source text, and the value that the path of an error points to.

Positions are only computed when a finding needs them: most objects have none. The reader of a text keeps it, with the
number of the document in it, in a `Positions`; nothing here reads a file or validates a value.

Paths of errors are made for people: keys of maps are not escaped, and the names of inlined structs may appear. So the
object decides how to read a path.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, count, islice
from operator import add
from typing import Any
from weakref import ref

import yaml

from validation_gen.diagnostics import Span
from validation_gen.kubernetes.yaml import compose_documents, places

#: Path from an object to one of its parts: names of fields and indices of items.
Path = Sequence[str | int]

#: By name or index: the ends of the name, and the start of the value.
_Members = dict[str | int, tuple[tuple[int, int], int]]
#: By name: the name and the value.
_Entries = dict[Any, tuple[yaml.Node, yaml.Node]]

#: Beginning of a comment with which Helm names a template above what it renders.
_SOURCE = "# Source: "
#: Greatest number of lines above an object that are searched for it.
_MOST_COMMENTS = 100
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions in one object.

    `root` is the number of the document in `text`; if `is_json`, its offset. `path` is the path from the document to
    the object, and `line` the number of lines before the text in its file. `node` is the parsed document, while its
    reader keeps it.
    """

    file: str
    text: str = field(repr=False)
    root: int = field(repr=False)
    path: tuple[str | int, ...] = ()
    line: int = 0
    is_json: bool = False
    node: ref[yaml.Node] | None = field(default=None, compare=False, repr=False)

    def span(self, path: Path) -> Span:
        """Returns the position of a part: a scalar itself, others by their names.

        A missing part has the position of its container.
        """
        steps = [*self.path, *path]
        known = _get_cache(self.text)
        if self.is_json:
            return self._span(*_in_json(known, self.root, steps))
        node = self.node() if self.node else None
        if node is None and known.places:
            return self._span(*_in_places(known.places, steps))
        return self._span(*_in_yaml(known, known.node(self.root) if node is None else node, steps))

    def find_template(self, line: int) -> str:
        """Returns the template that a comment of Helm names above a line of the file, empty without such a comment."""
        begins = _get_cache(self.text).line_begins
        last = min(line - self.line - 1, len(begins))
        for number in range(last - 1, max(last - _MOST_COMMENTS, 0) - 1, -1):
            end = begins[number + 1] if number + 1 < len(begins) else len(self.text)
            text = self.text[begins[number] : end].strip()
            if text.startswith(_SOURCE):
                return text.removeprefix(_SOURCE)
            if text and not text.startswith("#"):
                return ""
        return ""

    def _span(self, start: int, end: int) -> Span:
        begins = _get_cache(self.text).line_begins
        number = bisect_right(begins, start)
        begin = begins[number - 1]
        end = min(end, begins[number] - 1 if number < len(begins) else len(self.text))
        column = start - begin + 1
        return Span(self.file, self.line + number, column, max(end - begin + 1, column + 1))


# Objects can have thousands of errors: counting lines or searching keys for each would take forever. Results for a text
# or a node are cached while its errors are looked up.


class _Text:
    """A text, with cached results."""

    def __init__(self, text: str) -> None:
        self.text = text
        #: Members of JSON objects and lists, by the offset of their start.
        self.members: dict[int, _Members] = {}
        #: Entries of YAML objects, and the objects that are merged into them.
        self.entries: dict[yaml.MappingNode, tuple[_Entries, list[yaml.Node]]] = {}
        #: Documents of YAML, as far as they have been composed.
        self._nodes: list[yaml.Node] = []
        self._rest = compose_documents(text)

    def node(self, number: int) -> yaml.Node:
        """Returns a YAML document, which is parsed again: only errors need positions."""
        self._nodes += islice(self._rest, max(number + 1 - len(self._nodes), 0))
        return self._nodes[number]

    @cached_property
    def places(self) -> tuple[int, Any] | None:
        """Positions in a text of YAML that has one document, all of it plain."""
        return places(self.text)

    @cached_property
    def line_begins(self) -> list[int]:
        """Offsets at which lines begin."""
        lines = self.text.split("\n")  # a text may have very many lines: no Python loop runs for each of them
        return [0, *map(add, accumulate(map(len, lines[:-1])), count(1))]


#: The last two texts: an object and its old one.
_last: deque[_Text] = deque(maxlen=2)


def _get_cache(text: str) -> _Text:
    """Returns the cache of a text. It is found by identity: comparing equal texts takes as long as reading them."""
    found = next((each for each in tuple(_last) if each.text is text), None)
    if found is None:
        found = _Text(text)
        _last.append(found)
    return found


# --- YAML -------------------------------------------------------------------------------------------------------------


def _in_places(place: Any, path: Path) -> tuple[int, int]:
    """Returns the offsets of a part's start and end, from the native positions."""
    name = _find_ends(place)
    for step in path:
        inner = place[1] if place else None
        if isinstance(inner, dict) and step in inner:
            *ends, place = inner[step]
            name = ends[0], ends[1]
        elif isinstance(inner, list) and isinstance(step, int) and step < len(inner):
            place = inner[step]
            name = _find_ends(place)
        else:
            return name
    return _find_ends(place) if place and len(place) == 2 and isinstance(place[1], int) else name


def _find_ends(place: tuple[int, Any]) -> tuple[int, int]:
    start, inner = place[:2]
    return start, inner if isinstance(inner, int) else start + 1


def _in_yaml(known: _Text, node: yaml.Node, path: Path) -> tuple[int, int]:
    """Returns the offsets of a part's start and end, from nodes."""
    name = node
    for step in path:
        found = _entry(known, node, step)
        if found is None:
            return _ends(name)
        name, node = found
    return _ends(node if isinstance(node, yaml.ScalarNode) and node.value else name)


def _entry(known: _Text, node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Returns the nodes of the name and the value of an entry. A list item is both.

    Merged keys have their original position.
    """
    if isinstance(node, yaml.SequenceNode):
        return (node.value[step],) * 2 if isinstance(step, int) and step < len(node.value) else None
    if not isinstance(node, yaml.MappingNode):
        return None
    if node not in known.entries:
        known.entries[node] = _entries(node)
    own, merged = known.entries[node]
    if step in own:
        return own[step]
    return next((found for source in merged if (found := _entry(known, source, step))), None)


def _entries(node: yaml.MappingNode) -> tuple[_Entries, list[yaml.Node]]:
    """Returns the names and values of the entries of an object by name, and the objects that are merged into it."""
    own: _Entries = {}
    merged: list[yaml.Node] = []
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            own.setdefault(key.value, (key, value))
            if key.value == "<<":
                merged += value.value if isinstance(value, yaml.SequenceNode) else [value]
    return own, merged


def _ends(node: yaml.Node) -> tuple[int, int]:
    start: int = node.start_mark.index
    if isinstance(node, yaml.ScalarNode):
        return start, node.end_mark.index
    return start, start + 1


# --- JSON -------------------------------------------------------------------------------------------------------------


def _in_json(known: _Text, start: int, path: Path) -> tuple[int, int]:
    """Returns the offsets of a part's start and end in JSON text."""
    text, at = known.text, start
    name = (start, start + 1)
    for step in path:
        found = _member(known, at, step)
        if found is None:
            return name
        name, at = found
    return name if text[at] in "{[" else (at, _end(text, at))


def _member(known: _Text, at: int, step: str | int) -> tuple[tuple[int, int], int] | None:
    """Returns the ends of the name, and the start of the value, of one member of the object or list at an offset."""
    if known.text[at] not in ("{" if isinstance(step, str) else "["):
        return None
    members = known.members.get(at)
    if members is None:
        members = known.members[at] = _members(known.text, at)
    return members.get(step)


def _members(text: str, at: int) -> _Members:
    """Returns all members of the object or list at an offset; of a duplicate name, the first."""
    is_object = text[at] == "{"
    found: _Members = {}
    at = _next(text, at + 1)
    while text[at] not in "}]":
        name: tuple[int, int] = (at, at + 1)
        key: Any = len(found)
        if is_object:
            key, end = _DECODER.raw_decode(text, at)
            name = (at, end)
            at = _next(text, _next(text, end) + 1)
        found.setdefault(key, (name, at))
        at = _next(text, _end(text, at))
        at = _next(text, at + 1) if text[at] == "," else at
    return found


def _next(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _end(text: str, at: int) -> int:
    return _DECODER.raw_decode(text, at)[1]


#: Path from an object to one of its parts: names of fields and keys, and indices of items.
ValueKeys = tuple[str | int, ...]

_INDEX = re.compile(r"\[([0-9]{1,9})\]")
_NAME = re.compile(r"\.?[^.\[]+")
_STOP = re.compile(r"[.\[]")
_FEW = 8


def find_path(obj: Any, path: str) -> tuple[ValueKeys, bool]:
    """Returns the longest part of the path that exists in the object, and whether that is the whole path."""
    if path in ("", "<nil>"):
        return (), True
    steps = _follow(obj, path)
    if not steps[1] and path.startswith(".") and (first := _NAME.match(path)):
        inside = _follow(obj, path[first.end() :])  # the name of an inlined struct, which no JSON has
        return max(steps, inside, key=lambda each: (each[1], len(each[0])))
    return steps


def _follow(obj: Any, path: str) -> tuple[ValueKeys, bool]:
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        if isinstance(obj, dict):
            # The longest key that fits: keys of maps have dots and brackets of their own.
            key = _key(obj, path, at)
            if key is None:
                break
            at = _segment_end(path, at, key)
            steps.append(key)
            obj = obj[key]
        elif isinstance(obj, list) and (index := _INDEX.match(path, at)) and int(index[1]) < len(obj):
            at = index.end()
            steps.append(int(index[1]))
            obj = obj[int(index[1])]
        else:
            break
    return tuple(steps), at == len(path)


def _key(obj: dict[str, Any], path: str, at: int) -> str | None:
    """Returns the longest key of an object at a position of a path.

    It tries the keys or the possible ends, whichever are fewer.
    """
    stops = [match.start() for match in islice(_STOP.finditer(path, at + 1), len(obj))]
    if len(obj) <= max(len(stops), _FEW):
        return max((key for key in obj if _segment_end(path, at, key)), key=len, default=None)
    found = (path[at + (path[at] in ".[") : stop - (path[at] == "[")] for stop in (len(path), *reversed(stops)))
    return next((key for key in found if key in obj and _segment_end(path, at, key)), None)


def _segment_end(path: str, at: int, key: str) -> int:
    """Returns the end of a key in a path, 0 if the key is not there."""
    forms = (f".{key}", f"[{key}]") if at or path[0] in ".[" else (key,)
    for form in forms:
        end = at + len(form)
        if path.startswith(form, at) and (end == len(path) or path[end] in ".["):
            return end
    return 0
