"""JSON types of the values of a shape, and whether a JSON value fits."""

from __future__ import annotations

from validation_gen.ir import ListOf, MapOf, Scalar, Shape, StructRef, Wire, value_shape

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
    """Returns a phrase for one value of some types."""
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
