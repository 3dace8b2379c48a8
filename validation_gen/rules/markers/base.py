"""Interface of a marker: a record with its places, its arguments and its effect.

A marker's declaration (targets, arguments) is the parser of its lines, and the source of messages and documentation.
Its effect goes into notes: those of a schema, of a resource or of a package. Values must fit the JSON type of a shape.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.ir import ListOf, MapOf, Scalar, SchemaNotes, Shape, StructRef, Wire, value_shape
from validation_gen.rules.markers.values import ValueType

STRING, INTEGER, NUMERIC, BOOLEAN, ARRAY, OBJECT = "string", "integer", "number", "boolean", "array", "object"
#: The values of `type` in a schema.
JSON_TYPES = (STRING, INTEGER, NUMERIC, BOOLEAN, ARRAY, OBJECT)
ANYTHING = frozenset(JSON_TYPES)
NUMBERS = frozenset({INTEGER, NUMERIC})
TEXT = frozenset({STRING})
LISTS = frozenset({ARRAY})
OBJECTS = frozenset({OBJECT})

_WIRE_TYPES = {
    **dict.fromkeys(("time", "microtime", "duration", "gotime"), TEXT),
    "quantity": frozenset({STRING, INTEGER, NUMERIC}),
    "intorstring": frozenset({STRING, INTEGER}),
    "raw": OBJECTS,
}
#: Types as phrases, one and many.
_ONE = {
    STRING: "a string",
    INTEGER: "an integer",
    NUMERIC: "a number",
    BOOLEAN: "a boolean",
    ARRAY: "a list",
    OBJECT: "an object",
}
_MANY = {
    STRING: "strings",
    INTEGER: "numbers",
    NUMERIC: "numbers",
    BOOLEAN: "booleans",
    ARRAY: "lists",
    OBJECT: "maps and structs",
}


def json_types(shape: Shape | None) -> frozenset[str]:
    """Returns the JSON types of the values of a shape; all, when nothing is known."""
    match value_shape(shape) if shape is not None else None:
        case Scalar(go=go):
            if go == "string":
                return TEXT
            if go == "bool":
                return frozenset({BOOLEAN})
            return frozenset({NUMERIC}) if go.startswith("float") else frozenset({INTEGER})
        case Wire(form=form):
            return _WIRE_TYPES.get(form, ANYTHING)
        case ListOf(packed=packed):
            return TEXT if packed else LISTS
        case MapOf() | StructRef():
            return OBJECTS
    return ANYTHING


def one(types: frozenset[str]) -> str:
    """Returns a phrase for a value of one of some types, such as "a string or a number"."""
    names = [_ONE[type] for type in JSON_TYPES if type in types]
    return " or ".join(names) if names else "nothing"


def many(types: frozenset[str]) -> str:
    """Returns a phrase for several values of some types."""
    return " and ".join(dict.fromkeys(_MANY[type] for type in JSON_TYPES if type in types))


def json_type(value: object) -> str:
    """Returns the JSON type of a value; `""` for null."""
    match value:
        case None:
            return ""
        case bool():
            return BOOLEAN
        case int():
            return INTEGER
        case float():
            return NUMERIC
        case str():
            return STRING
        case list():
            return ARRAY
    return OBJECT


def admits(types: frozenset[str], value: object) -> bool:
    """Returns whether a value has one of some JSON types. Integers are numbers, too."""
    found = json_type(value)
    return found in types or (found == INTEGER and NUMERIC in types)


def misfit(value: object, shape: Shape, types: frozenset[str]) -> str:
    """Returns why a value does not fit a shape with the JSON types `types`; `""` if it does."""
    if value is None:
        return ""
    if not admits(types, value):
        return f"{_render(value)} is {_ONE[json_type(value)]}, and this is {one(types)}"
    inner = value_shape(shape)
    if types != json_types(shape):
        return ""
    parts: list[object] = []
    elem: Shape | None = None
    if isinstance(inner, ListOf) and isinstance(value, list):
        parts, elem = value, inner.elem
    elif isinstance(inner, MapOf) and isinstance(value, dict):
        parts, elem = list(value.values()), inner.elem
    for part in parts:
        if elem is not None and (reason := misfit(part, elem, json_types(elem))):
            return reason
    return ""


def _render(value: object) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return f'"{value}"' if isinstance(value, str) else text if len(text) <= 40 else f"{text[:40]}…"


class Target(enum.Enum):
    """Places of markers. The values are phrases for messages."""

    PACKAGE = "packages"
    TYPE = "type definitions"
    FIELD = "struct fields"


TYPE_OR_FIELD = frozenset({Target.TYPE, Target.FIELD})
_ANYTHING = Wire("any")


class MarkerError(Exception):
    """A marker that has no meaning here. `span` is the wrong part, by default the whole marker."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "VG524",
        span: Span | None = None,
        help: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.span = span
        self.help = help
        self.severity = severity


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a marker. An empty name means that the value follows the equals sign directly.

    `choices` are the only allowed values, if there are any.
    """

    name: str
    type: ValueType
    doc: str
    required: bool = True
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """A value as written. `items` are the spans of the items of a list."""

    value: object
    span: Span
    items: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """A marker as written in a source. `span` begins at the plus sign."""

    name: str
    arguments: dict[str, Value]
    span: Span
    name_span: Span

    @property
    def value(self) -> object:
        """Value of a marker that has only one."""
        return self.arguments[""].value if "" in self.arguments else None

    def text(self, name: str) -> str:
        """Returns the text of an argument, `""` when it is not given."""
        found = self.arguments.get(name)
        return str(found.value) if found is not None else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Returns the items of an argument that is a list of texts."""
        found = self.arguments.get(name)
        return tuple(map(str, found.value)) if found is not None and isinstance(found.value, list) else ()

    def place(self, name: str = "", item: int | None = None) -> Span:
        """Returns the span of an argument, or of one of its items."""
        found = self.arguments.get(name)
        if found is None:
            return self.span
        return found.items[item] if item is not None and item < len(found.items) else found.span


@dataclass(frozen=True, slots=True)
class Marker:
    """Common parts of all markers.

    `doc` is one sentence about its effect. `example` is a line that is valid in at least one place. `order` is the
    order of application on one declaration: markers that others depend on go first.
    """

    name: str
    targets: frozenset[Target]
    doc: str
    example: str
    arguments: tuple[Argument, ...] = ()
    order: int = 10

    @property
    def has_names(self) -> bool:
        """True if the marker's arguments have names."""
        return bool(self.arguments) and self.arguments[0].name != ""


@dataclass(slots=True)
class SchemaPlace:
    """The schema that markers of a declaration describe.

    `types` are the known JSON types of its values. `members` are the names of an object's members, if all of them are
    known, `required` the required ones. `item_members` are those of objects in a list. `name` is for messages. `said`
    records the marker of each keyword.
    """

    name: str
    shape: Shape
    notes: SchemaNotes
    diagnostics: Diagnostics
    types: frozenset[str]
    members: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    item_members: frozenset[str] = frozenset()
    said: dict[str, tuple[str, Span]] = field(default_factory=dict)
    _inner: dict[str, SchemaPlace] = field(default_factory=dict)

    def set(self, keyword: str, value: object, name: str, span: Span) -> None:
        """Sets a keyword of the schema. The last marker wins; a different earlier one gives a warning."""
        before = self.notes.keywords.get(keyword)
        if keyword in self.said and (type(before) is not type(value) or before != value):
            other, place = self.said[keyword]
            message = f"{self.name}: +{name} says something else than +{other} in line {place.line}"
            self.diagnostics.warning("VG526", message, span, "keep one of them; only the last one counts")
        self.notes.keywords[keyword] = value
        self.notes.spans[keyword] = span
        self.said[keyword] = (name, span)

    @property
    def item_types(self) -> frozenset[str]:
        """The JSON types of the items of a list; empty if there are no items."""
        shape = value_shape(self.shape)
        if isinstance(shape, ListOf) and not shape.packed:
            return json_types(shape.elem)
        return ANYTHING if "array" in self.types else frozenset()

    def items(self) -> SchemaPlace:
        """Returns the schema of the items of a list."""
        shape = value_shape(self.shape)
        inner = shape.elem if isinstance(shape, ListOf) else _ANYTHING
        self.notes.items = self.notes.items or SchemaNotes()
        return self._inside("items", inner, self.notes.items)

    def values(self) -> SchemaPlace:
        """Returns the schema of the values of a map."""
        shape = value_shape(self.shape)
        inner = shape.elem if isinstance(shape, MapOf) else _ANYTHING
        self.notes.values = self.notes.values or SchemaNotes()
        return self._inside("values", inner, self.notes.values)

    def member(self, name: str) -> SchemaPlace:
        """Returns the schema of a field of a struct. Its shape is not known here."""
        notes = self.notes.properties.setdefault(name, SchemaNotes())
        return self._inside(f"properties:{name}", _ANYTHING, notes)

    @property
    def inner(self) -> tuple[SchemaPlace, ...]:
        """Returns the inner schemas that markers describe."""
        return tuple(self._inner.values())

    def _inside(self, way: str, shape: Shape, notes: SchemaNotes) -> SchemaPlace:
        if way not in self._inner:
            self._inner[way] = SchemaPlace(self.name, shape, notes, self.diagnostics, json_types(shape))
        return self._inner[way]


@dataclass(frozen=True, slots=True)
class SchemaMarker(Marker):
    """A marker with an effect on a schema."""

    apply: Callable[[Use, SchemaPlace], None] = field(default=lambda use, place: None)
