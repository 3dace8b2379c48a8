"""Table of a schema, by which an object gets its defaults and is found to be certainly valid.

Native code, or `walk` in pure Python, checks types, lengths, ranges, values, patterns, names and duplicate items by it;
functions in the table check the rest.
Values of schemas with rare keywords (objects within objects, lists of anything, unique items) are never certain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.pruning import META_FIELDS
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import RESOURCE, combination_holds, judge
from validation_gen.kubernetes.formats.valueformats import FORMATS, normalize
from validation_gen.kubernetes.objects.fastpath.walk import CODE, make_walk
from validation_gen.runtime.fastpath.nodes import ENDLESS, LEAST, MOST, Node
from validation_gen.runtime.goregex import GoRegexError, compiled
from validation_gen.runtime.goregex.pattern import build_table
from validation_gen.runtime.names import remember
from validation_gen.runtime.native import accept

#: Greatest length of texts that go through a table, which takes a step for each character.
_LONGEST = 1 << 20
#: Greatest number of places: a larger table would be larger than the objects.
_MOST_NODES = 20_000

#: Returns a valid object with its defaults; None if something may be wrong.
Ready = Callable[[Any], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Table:
    """Table of a schema.

    Attributes:
        ready: a function that does not check `metadata`. Its copies share all parts with the original, except for those
            that get a default.
        metadata: the schema of `metadata`, if it has other keywords than a type.
        has_numbers: whether valid objects may have floats.
    """

    ready: Ready
    metadata: Schema | None
    has_numbers: bool


class TooLargeError(Exception):
    """The schema has too many places for a table."""


def is_supported(schema: Schema) -> bool:
    """Returns whether the root of a schema has no keyword that tables lack."""
    if schema.type not in ("object", "") or schema.enum or schema.format or schema.additional_properties is not None:
        return False
    # The server checks these on an object with its metadata and its status in their final form.
    if _has_combinations(schema) or schema.min_properties or schema.max_properties is not None:
        return False
    return not schema.embedded_resource and not any(
        _is_judged(schema.properties.get(name)) for name in ("apiVersion", "kind")
    )


def make_table(schema: Schema) -> Table | None:
    """Makes the table of a supported schema; None if it is too large."""
    tables = _Tables()
    try:
        tables.root(schema)
    except (TooLargeError, RecursionError):
        return None
    ready: Ready
    if accept is None:
        ready = make_walk(tables.nodes)
    else:
        ready = accept.Acceptor(tuple(node.spec() for node in tables.nodes)).ready
    metadata = schema.properties.get("metadata")
    has_numbers = any(node.op == CODE.NUMBER for node in tables.nodes)
    return Table(ready, metadata if _is_judged(metadata) else None, has_numbers)


class _Tables:
    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def add(self, node: Node) -> int:
        if len(self.nodes) >= _MOST_NODES:
            raise TooLargeError
        self.nodes.append(node)
        return len(self.nodes) - 1

    def root(self, schema: Schema) -> None:
        node = Node(CODE.STRUCT)
        self.add(node)
        anything = self.add(Node(CODE.ANY))
        node.members = [(name, anything, 0, None) for name in META_FIELDS]
        self.fields(node, schema, META_FIELDS)

    def place(self, schema: Schema) -> int:
        """Adds the place of a value that is present and not null."""
        index = self.add(Node(CODE.NEVER))
        node = self.make(schema)
        if node is not None:
            self.nodes[index] = node
        return index

    def make(self, schema: Schema) -> Node | None:
        """Returns the checks of a value; None if they are never certain."""
        if schema.type == "array":
            return self.list(schema)
        if schema.type == "object":
            return self.object(schema)
        if schema.preserves and not schema.type:
            return None if _describes_parts(schema) else Node(CODE.DATA)
        node = _scalar(schema)
        if node is not None:
            _add_combinations(node, schema)
        return node

    # --- containers ---------------------------------------------------------------------------------------------------

    def list(self, schema: Schema) -> Node | None:
        item = schema.item
        if item is None or schema.preserves or schema.unique_items or schema.enum or schema.format:
            return None
        node = Node(CODE.LIST, min=_begin(schema.min_items), max=_end(schema.max_items))
        node.item = self.place(item)
        if schema.list_type == "set":
            if not _is_key(item):
                return None
            node.unique = ()
        elif schema.list_type == "map":
            keys = [item.properties.get(key) for key in schema.list_map_keys]
            if not keys or not all(key is not None and _is_key(key) for key in keys):
                return None
            node.unique = tuple((key, None) for key in schema.list_map_keys)
        self.mark(node, node.item)
        _add_combinations(node, schema)
        return node

    def object(self, schema: Schema) -> Node | None:
        if schema.embedded_resource or schema.enum or schema.format:
            return None
        if schema.additional_properties is not None:
            node = self.map(schema)
        else:
            node = Node(CODE.STRUCT)
            self.fields(node, schema, ())
            if schema.min_properties or schema.max_properties is not None:
                node.calls.append(_check_size(schema.min_properties or 0, schema.max_properties))
        if node is not None:
            _add_combinations(node, schema)
        return node

    def map(self, schema: Schema) -> Node | None:
        part = schema.additional
        if part is None or schema.properties or schema.preserves or part.default is not None:
            return None
        node = Node(CODE.MAP, min=_begin(schema.min_properties), max=_end(schema.max_properties))
        node.key = self.add(Node(CODE.TEXT))
        node.item = self.place(part)
        if schema.required:
            node.calls.append(_check_names(schema.required))
        self.mark(node, node.item)
        return node

    def fields(self, node: Node, schema: Schema, left: tuple[str, ...]) -> None:
        """Adds the fields of an object, except for those in `left`."""
        node.flags |= CODE.OPEN if schema.preserves else CODE.CLOSED
        for name, part in schema.properties.items():
            if name in left:
                continue
            inner = self.place(part)
            flags = CODE.NOT_NULL | (CODE.PARTS if self.nodes[inner].flags & CODE.FILLS else 0)
            default = None
            if part.default is not None:
                flags |= CODE.DEFAULT
                default = part.default.value
            elif name in schema.required:
                flags |= CODE.WANTED
            if flags & (CODE.DEFAULT | CODE.PARTS):
                node.flags |= CODE.FILLS
            node.members.append((name, inner, flags, default))
        known = {name for name, *_ in node.members if name not in left}
        if others := [name for name in schema.required if name not in known]:
            node.calls.append(_check_names(tuple(others)))

    def mark(self, node: Node, inner: int) -> None:
        """Marks a place that has defaults below it."""
        node.flags |= self.nodes[inner].flags & CODE.FILLS


# --- single values ----------------------------------------------------------------------------------------------------


def _scalar(schema: Schema) -> Node | None:
    if schema.int_or_string:
        node = Node(CODE.INT_OR_TEXT)
        if schema.pattern or schema.enum or schema.format or _has_limits(schema):
            node.calls.append(_exact_check(schema))
        return node
    match schema.type:
        case "string":
            return _string(schema)
        case "integer":
            return _integer(schema)
        case "boolean":
            node = Node(CODE.BOOLEAN)
            if schema.enum or schema.format:
                node.calls.append(_exact_check(schema))
            return node
        case "number":
            node = Node(CODE.NUMBER, calls=[_check(_fits)])
            if schema.enum or schema.format or _has_limits(schema):
                node.calls.append(_exact_check(schema))
            return node
    return None


def _string(schema: Schema) -> Node | None:
    node = Node(CODE.TEXT, min=_begin(schema.min_length), max=_end(schema.max_length))
    if schema.enum:
        node.values = frozenset(each.value for each in schema.enum if isinstance(each.value, str))
    if schema.pattern:
        try:
            automaton = compiled(schema.pattern).automaton
        except GoRegexError:
            return None
        if automaton is not None:
            node.patterns.append(_pattern(schema.pattern, automaton.finds))
    format = normalize(RESOURCE.format(schema))
    if format in FORMATS:
        node.patterns.append(_pattern("", FORMATS[format]))
    return node


def _integer(schema: Schema) -> Node:
    bounds, values = _bounds(schema), _integers(schema)
    if bounds is None or values is None:
        return Node(CODE.INTEGER, calls=[_exact_check(schema)])
    low, high = bounds
    return Node(CODE.INTEGER, low=low, high=high, values=values or None)


def _pattern(pattern: str, finds: Callable[[str], bool]) -> tuple[Any, ...]:
    known: set[str] = set()
    table = build_table(pattern) if pattern and accept is not None else None
    return table, _LONGEST, known, Found(finds, known), ()


def _begin(limit: int | None) -> int:
    """Returns the least length within the range of tables. Definitions may have any number."""
    return min(max(limit or 0, 0), ENDLESS)


def _end(limit: int | None) -> int:
    """Returns the greatest length within the range of tables, -1 if no value fits."""
    return ENDLESS if limit is None else min(max(limit, -1), ENDLESS)


# --- checks: functions that return None for valid values --------------------------------------------------------------


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


def _check(accepts: Callable[[Any], bool]) -> tuple[Callable[[Any], bool | None], tuple[()]]:
    """Returns the call of a check in a table."""
    return (lambda value: None if accepts(value) else False), ()


def _exact_check(schema: Schema) -> tuple[Callable[[Any], bool | None], tuple[()]]:
    """Returns the check of a value by the exact validation."""
    return _check(lambda value: not judge(schema, value))


def _check_names(names: tuple[str, ...]) -> tuple[Callable[[Any], bool | None], tuple[()]]:
    """Returns the check that an object has some names, with any values."""
    return _check(lambda value: all(name in value for name in names))


def _check_size(least: int, most: int | None) -> tuple[Callable[[Any], bool | None], tuple[()]]:
    """Returns the check of the number of properties."""
    return _check(lambda value: least <= len(value) and (most is None or len(value) <= most))


def _fits(value: Any) -> bool:
    """Returns whether Go decodes a number without a change."""
    return value.__class__ is float or LEAST <= value <= MOST


def _add_combinations(node: Node, schema: Schema) -> None:
    if _has_combinations(schema) and not _is_plain_int_or_string(schema):
        node.calls.append(_check(lambda value: combination_holds(schema, value)))


# --- keywords ---------------------------------------------------------------------------------------------------------

#: Ranges of the integers that Go decodes, by format.
_RANGES = {"": (LEAST, MOST), "int64": (LEAST, MOST), "int32": (-(1 << 31), (1 << 31) - 1)}
#: Up to here every integer is exactly a float.
_EXACT = 1 << 53


def _is_key(schema: Schema) -> bool:
    """Returns whether values have one type that can be a key of items."""
    return schema.type in ("string", "integer", "boolean") and not schema.int_or_string


def _has_limits(schema: Schema) -> bool:
    numbers = (schema.minimum, schema.maximum, schema.multiple_of, schema.max_length, schema.min_length)
    return any(limit is not None for limit in numbers)


def _integers(schema: Schema) -> frozenset[int] | None:
    """Returns the integers of an enum; None if it has other values."""
    values = [each.value for each in schema.enum]
    return frozenset(values) if all(value.__class__ is int for value in values) else None


def _bounds(schema: Schema) -> tuple[int, int] | None:
    """Returns the least and the greatest integer; None if the schema has other keywords than limits and an enum."""
    bounds = _RANGES.get(RESOURCE.format(schema))
    if bounds is None or schema.multiple_of is not None:
        return None
    low, high = bounds
    for limit in (schema.minimum, schema.maximum):
        if limit is not None and not (limit == int(limit) and abs(limit) < _EXACT and low <= limit <= high):
            return None
    if schema.minimum is not None:
        low = max(low, int(schema.minimum) + schema.exclusive_minimum)
    if schema.maximum is not None:
        high = min(high, int(schema.maximum) - schema.exclusive_maximum)
    return low, high


def _has_combinations(schema: Schema) -> bool:
    return bool(schema.all_of or schema.any_of or schema.one_of or schema.not_ is not None)


def _is_plain_int_or_string(schema: Schema) -> bool:
    """Returns whether all combinations of a schema only repeat `x-kubernetes-int-or-string`."""
    if not schema.int_or_string or schema.all_of or schema.one_of or schema.not_:
        return False
    wanted = [part.type for part in schema.any_of]
    return wanted == ["integer", "string"] and not any(map(_is_judged, schema.any_of))


def _is_judged(schema: Schema | None) -> bool:
    """Returns whether a schema has validations besides a type."""
    return schema is not None and schema != _describe(schema, type=schema.type)


def _describes_parts(schema: Schema) -> bool:
    """Returns whether a schema of arbitrary values has other keywords than `nullable`."""
    return schema != _describe(schema, nullable=schema.nullable)


def _describe(schema: Schema, **keywords: Any) -> Schema:
    """Returns a schema with some keywords, and of another schema only the descriptions."""
    preserves = schema.preserve_unknown_fields
    return Schema(description=schema.description, title=schema.title, preserve_unknown_fields=preserves, **keywords)
