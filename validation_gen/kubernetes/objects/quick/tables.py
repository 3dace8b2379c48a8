"""Table of a schema for native code, which fills in defaults and decides that an object is certainly valid.

The table has the checks of `settling`, place by place. Native code checks types, lengths, ranges, values, patterns,
names and duplicate items; a function checks the rest. Places without a fast form in `settling` are never certain here.

This module is only used with native code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.crd.pruning import META_FIELDS
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import RESOURCE, combination_holds, judge
from validation_gen.kubernetes.formats.valueformats import FORMATS, normalized
from validation_gen.kubernetes.goregex import GoRegexError, compiled
from validation_gen.kubernetes.goregex.pattern import table_of
from validation_gen.kubernetes.objects.quick import keywords
from validation_gen.runtime.acceptance.nodes import ENDLESS, LEAST, MOST, Node
from validation_gen.runtime.memo import remember
from validation_gen.runtime.native import accept

_CODE: Any = accept
#: Greatest length of texts that go through a table, which takes a step for each character.
_LONGEST = 1 << 20
#: Greatest number of places: a larger table would be larger than the objects.
_MOST_NODES = 20_000

#: Returns a copy of a valid object with its defaults; None if something may be wrong.
Ready = Callable[[Any], Any]


class NoTableError(Exception):
    """The schema is too large."""


def ready_of(schema: Schema, apart: str = "") -> Ready | None:
    """Returns the native function for the objects of a schema, which does not check their `metadata`.

    Its copies share all parts with the original, except those that get a default.

    Args:
        schema: the schema, for which `Settler` has a fast form.
        apart: the name of a field that validated objects do not have.
    """
    tables = _Tables()
    try:
        tables.root(schema, apart)
    except (NoTableError, RecursionError):
        return None
    ready: Ready = _CODE.Acceptor(tuple(node.spec() for node in tables.nodes)).ready
    return ready


class _Tables:
    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def add(self, node: Node) -> int:
        if len(self.nodes) >= _MOST_NODES:
            raise NoTableError
        self.nodes.append(node)
        return len(self.nodes) - 1

    def root(self, schema: Schema, apart: str) -> None:
        node = Node(_CODE.STRUCT)
        self.add(node)
        anything = self.add(Node(_CODE.ANY))
        node.members = [(name, anything, 0, None) for name in META_FIELDS]
        self.fields(node, schema, (*META_FIELDS, *filter(None, (apart,))))

    def place(self, schema: Schema) -> int:
        """Adds the place of a value that is present and not null."""
        index = self.add(Node(_CODE.NEVER))
        node = self.made(schema)
        if node is not None:
            self.nodes[index] = node
        return index

    def made(self, schema: Schema) -> Node | None:
        """Returns the checks of a value; None if they are never certain."""
        if schema.type == "array":
            return self.list(schema)
        if schema.type == "object":
            return self.object(schema)
        if schema.preserves and not schema.type:
            return None if keywords.describes_parts(schema) else Node(_CODE.DATA)
        node = _scalar(schema)
        if node is not None:
            _ask_combinations(node, schema)
        return node

    # --- containers ---------------------------------------------------------------------------------------------------

    def list(self, schema: Schema) -> Node | None:
        item = schema.item
        if item is None or schema.preserves or schema.unique_items or schema.enum or schema.format:
            return None
        node = Node(_CODE.LIST, min=_begin(schema.min_items), max=_end(schema.max_items))
        node.item = self.place(item)
        if schema.list_type == "set":
            if not keywords.is_key(item):
                return None
            node.unique = ()
        elif schema.list_type == "map":
            keys = [item.properties.get(key) for key in schema.list_map_keys]
            if not keys or not all(key is not None and keywords.is_key(key) for key in keys):
                return None
            node.unique = tuple((key, None) for key in schema.list_map_keys)
        self.mark(node, node.item)
        _ask_combinations(node, schema)
        return node

    def object(self, schema: Schema) -> Node | None:
        if schema.embedded_resource or schema.enum or schema.format:
            return None
        if schema.additional_properties is not None:
            node = self.map(schema)
        else:
            node = Node(_CODE.STRUCT)
            self.fields(node, schema, ())
            if schema.min_properties or schema.max_properties is not None:
                node.asks.append((_Sized(schema.min_properties or 0, schema.max_properties), ()))
        if node is not None:
            _ask_combinations(node, schema)
        return node

    def map(self, schema: Schema) -> Node | None:
        part = schema.additional
        if part is None or schema.properties or schema.preserves or part.default is not None:
            return None
        node = Node(_CODE.MAP, min=_begin(schema.min_properties), max=_end(schema.max_properties))
        node.key = self.add(Node(_CODE.TEXT))
        node.item = self.place(part)
        if schema.required:
            node.asks.append((_Named(schema.required), ()))
        self.mark(node, node.item)
        return node

    def fields(self, node: Node, schema: Schema, left: tuple[str, ...]) -> None:
        """Adds the fields of an object, except for those that are `left` to others."""
        node.flags |= _CODE.OPEN if schema.preserves else _CODE.CLOSED
        for name, part in schema.properties.items():
            if name in left:
                continue
            inner = self.place(part)
            flags = _CODE.NOT_NULL | (_CODE.PARTS if self.nodes[inner].flags & _CODE.FILLS else 0)
            default = None
            if part.default is not None:
                flags |= _CODE.DEFAULT
                default = part.default.value
            elif name in schema.required:
                flags |= _CODE.WANTED
            if flags & (_CODE.DEFAULT | _CODE.PARTS):
                node.flags |= _CODE.FILLS
            node.members.append((name, inner, flags, default))
        known = {name for name, *_ in node.members if name not in left}
        if others := [name for name in schema.required if name not in known]:
            node.asks.append((_Named(tuple(others)), ()))

    def mark(self, node: Node, inner: int) -> None:
        """Marks a place that has defaults below it."""
        node.flags |= self.nodes[inner].flags & _CODE.FILLS


# --- single values ----------------------------------------------------------------------------------------------------


def _scalar(schema: Schema) -> Node | None:
    if schema.int_or_string:
        node = Node(_CODE.INT_OR_TEXT)
        if schema.pattern or schema.enum or schema.format or keywords.has_limits(schema):
            node.asks.append((_Judged(schema), ()))
        return node
    match schema.type:
        case "string":
            return _string(schema)
        case "integer":
            return _integer(schema)
        case "boolean":
            node = Node(_CODE.BOOLEAN)
            if schema.enum or schema.format:
                node.asks.append((_Judged(schema), ()))
            return node
        case "number":
            node = Node(_CODE.NUMBER, asks=[(_fits, ())])
            if schema.enum or schema.format or keywords.has_limits(schema):
                node.asks.append((_Judged(schema), ()))
            return node
    return None


def _string(schema: Schema) -> Node | None:
    node = Node(_CODE.TEXT, min=_begin(schema.min_length), max=_end(schema.max_length))
    if schema.enum:
        node.values = frozenset(each.value for each in schema.enum if isinstance(each.value, str))
    if schema.pattern:
        try:
            automaton = compiled(schema.pattern).automaton
        except GoRegexError:
            return None
        if automaton is not None:
            node.patterns.append(_pattern(table_of(schema.pattern), automaton.finds))
    format = normalized(RESOURCE.format(schema))
    if format in FORMATS:
        node.patterns.append(_pattern(None, FORMATS[format]))
    return node


def _integer(schema: Schema) -> Node:
    bounds, values = keywords.bounds_of(schema), keywords.values_of(schema)
    if bounds is None or values is None:
        return Node(_CODE.INTEGER, asks=[(_Judged(schema), ())])
    low, high = bounds
    return Node(_CODE.INTEGER, low=low, high=high, values=values or None)


def _pattern(table: bytes | None, finds: Callable[[str], bool]) -> tuple[Any, ...]:
    known: set[str] = set()
    return table, _LONGEST, known, Found(finds, known), ()


def _begin(limit: int | None) -> int:
    """Returns the least length within the range of native code. Definitions may have any number."""
    return min(max(limit or 0, 0), ENDLESS)


def _end(limit: int | None) -> int:
    """Returns the greatest length within the range of native code, -1 if no value fits."""
    return ENDLESS if limit is None else min(max(limit, -1), ENDLESS)


# --- checks: functions that return None for valid values
# ---------------------------------------------------------------


class Found:
    """Check of a text by a function; accepted texts are cached."""

    __slots__ = ("_finds", "_known")

    def __init__(self, finds: Callable[[str], bool], known: set[str]) -> None:
        self._finds = finds
        self._known = known

    def __call__(self, value: str) -> bool | None:
        if not self._finds(value):
            return False
        remember(self._known, value)
        return None


class _Judged:
    """Check of a value by the exact validation."""

    __slots__ = ("_schema",)

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def __call__(self, value: Any) -> bool | None:
        return False if judge(self._schema, value) else None


class _Combined:
    """Check of a value against `allOf`, `anyOf`, `oneOf` and `not`."""

    __slots__ = ("_schema",)

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def __call__(self, value: Any) -> bool | None:
        return None if combination_holds(self._schema, value) else False


class _Named:
    """Check that an object has some names, with any values."""

    __slots__ = ("_names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __call__(self, value: Any) -> bool | None:
        return None if all(name in value for name in self._names) else False


class _Sized:
    """Check of the number of properties."""

    __slots__ = ("_least", "_most")

    def __init__(self, least: int, most: int | None) -> None:
        self._least = least
        self._most = most

    def __call__(self, value: Any) -> bool | None:
        return None if self._least <= len(value) and (self._most is None or len(value) <= self._most) else False


def _fits(value: Any) -> bool | None:
    """Checks that Go decodes a number without a change."""
    return None if value.__class__ is float or LEAST <= value <= MOST else False


def _ask_combinations(node: Node, schema: Schema) -> None:
    if keywords.has_combinations(schema) and not keywords.is_plain_int_or_string(schema):
        node.asks.append((_Combined(schema), ()))
