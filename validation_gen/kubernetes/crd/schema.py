"""A schema in the API server's form (`JSONSchemaProps`), read from decoded JSON. It does not check itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from validation_gen.kubernetes.crd.gotypes import SCHEMA
from validation_gen.kubernetes.formats.valueformats import is_known
from validation_gen.runtime import native
from validation_gen.runtime.goregex import GoRegexError, compiled
from validation_gen.runtime.wire import identical

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plain:
    """Schemas that need no checks, by their `id`: `all` of them, and those that are `settled` but not simple."""

    all: set[int]
    settled: set[int]


NOTHING_PLAIN = Plain(set(), set())


@dataclass(frozen=True, slots=True, eq=False)
class Json:
    """A value of any JSON type. `1`, `1.0` and `True` are three values."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Json) and identical(self.value, other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


@dataclass(frozen=True, slots=True)
class Items:
    """Value of `items`: one schema, several, or something else, which has no effect."""

    schema: Schema | None = None
    schemas: tuple[Schema, ...] = ()


@dataclass(frozen=True, slots=True)
class SchemaOrBool:
    allows: bool
    schema: Schema | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """An entry of `x-kubernetes-validations`."""

    rule: str = ""
    message: str = ""
    message_expression: str = ""
    reason: str | None = None
    field_path: str = ""
    optional_old_self: bool | None = None


@dataclass(slots=True)
class Schema:
    """A schema. `None` corresponds to a nil pointer in Go; `default: null` is also nil.

    Schemas are never changed. The class is not frozen because a definition can have thousands, which would take six
    times as long.

    `empty` names lists and maps that are present but have no entry. Go distinguishes them from absent ones only in few
    places, so comparisons ignore them.

    `simple`: the schema and all within it have types, limits, descriptions and a few other keywords, in ways that
    cannot be wrong except at the root. Most schemas are simple; checks skip them.

    `settled`: like `simple`, but there may also be defaults, and lists that are sets or maps: nothing can be wrong
    outside of metadata and of combinations. Simple schemas are settled, too.

    `source` is the raw JSON of a schema that has not been read yet.
    """

    id: str = ""
    schema: str = ""
    ref: str | None = None
    description: str = ""
    type: str = ""
    nullable: bool = False
    format: str = ""
    title: str = ""
    default: Json | None = None
    maximum: float | None = None
    exclusive_maximum: bool = False
    minimum: float | None = None
    exclusive_minimum: bool = False
    max_length: int | None = None
    min_length: int | None = None
    pattern: str = ""
    max_items: int | None = None
    min_items: int | None = None
    unique_items: bool = False
    multiple_of: float | None = None
    enum: tuple[Json, ...] = ()
    max_properties: int | None = None
    min_properties: int | None = None
    required: tuple[str, ...] = ()
    items: Items | None = None
    all_of: tuple[Schema, ...] = ()
    one_of: tuple[Schema, ...] = ()
    any_of: tuple[Schema, ...] = ()
    not_: Schema | None = None
    properties: Mapping[str, Schema] = field(default_factory=dict)
    additional_properties: SchemaOrBool | None = None
    pattern_properties: Mapping[str, Schema] = field(default_factory=dict)
    dependencies: Mapping[str, Schema | tuple[str, ...] | None] = field(default_factory=dict)
    additional_items: SchemaOrBool | None = None
    definitions: Mapping[str, Schema] = field(default_factory=dict)
    external_docs: tuple[str, str] | None = None
    example: Json | None = None
    preserve_unknown_fields: bool | None = None
    embedded_resource: bool = False
    int_or_string: bool = False
    list_map_keys: tuple[str, ...] = ()
    list_type: str | None = None
    map_type: str | None = None
    validations: tuple[Rule, ...] = ()
    empty: frozenset[str] = field(default=frozenset(), compare=False)
    simple: bool = field(default=False, compare=False)
    settled: bool = field(default=False, compare=False)
    source: tuple[JsonObject, Plain] | None = field(default=None, init=False, compare=False, repr=False)

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and _compared(self) == _compared(other)

    @property
    def item(self) -> Schema | None:
        """The one schema of all items."""
        return self.items.schema if self.items else None

    @property
    def additional(self) -> Schema | None:
        """Schema of the values that have no property of their own."""
        return self.additional_properties.schema if self.additional_properties else None

    @property
    def preserves(self) -> bool:
        return bool(self.preserve_unknown_fields)


EMPTY = Schema()
_NAMES = frozenset(each.name for each in fields(Schema) if each.init) - {"simple", "settled"}
_compared = attrgetter(*(each.name for each in fields(Schema) if each.compare))


class _Unread(Schema):
    """A settled schema that has not been read yet. It becomes a `Schema` at the first access to another attribute."""

    __slots__ = ()
    __hash__ = None

    def __init__(self, raw: JsonObject, plain: Plain) -> None:
        self.source = raw, plain
        self.simple = id(raw) not in plain.settled
        self.settled = True

    def __getattr__(self, name: str) -> Any:  # only called for absent attributes
        if name not in _NAMES or self.source is None:
            raise AttributeError(name)
        found = _keywords(*self.source)
        for each in _NAMES:
            setattr(self, each, found.get(each, getattr(EMPTY, each)))
        self.__class__ = Schema  # type: ignore[assignment]
        return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Unread) and self.source and other.source and identical(self.source[0], other.source[0]):
            return True
        return super().__eq__(other)


def _to_attribute(keyword: str) -> str:
    """Returns the attribute of a keyword: `max_length` of `maxLength`, `list_type` of `x-kubernetes-list-type`."""
    name = keyword.removeprefix("x-kubernetes-").removeprefix("$").replace("-", "_")
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)


#: Attributes of schemas by their keywords.
ATTRIBUTES = {keyword: _to_attribute(keyword) for keyword in SCHEMA.fields} | {"not": "not_"}


def is_set(schema: Schema, keyword: str) -> bool:
    """Returns whether a schema has a keyword with another value than its default."""
    name = ATTRIBUTES[keyword]
    return bool(getattr(schema, name) != getattr(EMPTY, name))


def read_schema(raw: JsonObject, plain: Plain = NOTHING_PLAIN) -> Schema:
    """Reads a schema from decoded JSON, which has the types of `gotypes.SCHEMA`. Unknown names are dropped.

    Args:
        raw: the decoded JSON, which must not change.
        plain: the result of `plain_schemas` for it; these schemas are read lazily.
    """
    if id(raw) in plain.all:
        return _Unread(raw, plain)
    found = _keywords(raw, plain)
    simple = raw.keys() <= _SIMPLE and _is_simple(**found)
    return Schema(**found, simple=simple, settled=simple)


def plain_schemas(schemas: Iterable[object]) -> Plain:
    """Finds the schemas that certainly decode and are settled. They must not change afterwards."""
    find = getattr(native.accept, "plain_schemas", None)
    if find is None:
        return NOTHING_PLAIN
    plain = Plain(set(), set())
    for schema in schemas:
        found, settled = find(schema, is_known, _is_pattern)
        plain.all.update(found)
        plain.settled.update(settled)
    return plain


def _keywords(raw: JsonObject, plain: Plain) -> dict[str, Any]:
    """Returns the attributes that a schema sets."""
    found: dict[str, Any] = {}
    for name, value in raw.items():
        if value is not None and name in ATTRIBUTES:
            read = _READERS.get(name)
            found[ATTRIBUTES[name]] = value if read is None else read(value, plain)
    if empty := [name for name, value in raw.items() if not value and isinstance(value, list | dict)]:
        found["empty"] = frozenset(empty)
    return found


#: Keywords that only validate or describe values.
_SIMPLE = frozenset(
    {
        *("type", "format", "nullable", "enum", "required", "title", "description", "example", "externalDocs"),
        *("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf", "maxLength", "minLength"),
        *("maxItems", "minItems", "maxProperties", "minProperties"),
        *("properties", "items", "additionalProperties", "pattern", "x-kubernetes-list-type", "x-kubernetes-map-type"),
        *("anyOf", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"),
    }
)
#: Value of `anyOf` beside `x-kubernetes-int-or-string`.
_INTEGER_OR_STRING = (Schema(type="integer"), Schema(type="string"))
_LONGEST_PATTERN = 200  # longer ones are rare, and slow to compile
_SCALARS = frozenset({"string", "integer", "boolean", "number"})


def _is_simple(
    type: str = "",
    format: str = "",
    items: Items | None = None,
    properties: Mapping[str, Schema] | None = None,
    additional_properties: SchemaOrBool | None = None,
    pattern: str = "",
    list_type: str | None = None,
    map_type: str | None = None,
    any_of: tuple[Schema, ...] = (),
    int_or_string: bool = False,
    preserve_unknown_fields: bool | None = None,
    **_: object,
) -> bool:
    """Returns whether a schema of simple keywords is simple itself."""
    if (format and not is_known(type, format)) or (pattern and not _is_pattern(pattern)):
        return False
    if type != "object" and (properties or additional_properties or map_type is not None or preserve_unknown_fields):
        return False
    if type != "array" and (items or list_type is not None):
        return False
    if preserve_unknown_fields is False:
        return False
    if any_of or int_or_string:
        return int_or_string and not type and (not any_of or _are_int_and_string(any_of))
    if type in _SCALARS:
        return True
    if type == "array":
        return list_type in (None, "atomic") and items is not None and _are_simple(items.schema)
    if type != "object" or map_type not in (None, "atomic", "granular"):
        return False
    values = [additional_properties.schema] if additional_properties else []
    return not (values and properties) and _are_simple(*values, *(properties or {}).values())


@lru_cache(maxsize=1024)
def _is_pattern(text: str) -> bool:
    """Returns whether a text is a short, valid regular expression."""
    if len(text) > _LONGEST_PATTERN:
        return False
    try:
        compiled(text)
    except GoRegexError:
        return False
    return True


def _are_int_and_string(parts: tuple[Schema, ...]) -> bool:
    return parts == _INTEGER_OR_STRING and not any(part.empty for part in parts)


def _are_simple(*schemas: Schema | None) -> bool:
    return all(schema is not None and schema.simple for schema in schemas)


def has_default(schema: Schema) -> bool:
    """Returns whether a schema, or any schema within it, has a default."""
    return schema.default is not None or (not schema.simple and any(map(has_default, parts(schema))))


def has_rules(schema: Schema) -> bool:
    """Returns whether a schema, or any schema within it, has CEL rules."""
    return bool(schema.validations) or (not schema.settled and any(map(has_rules, parts(schema))))


def parts(schema: Schema) -> Iterator[Schema]:
    """Yields all direct subschemas of a schema, of all keywords."""
    for part in (schema.item, schema.not_, schema.additional):
        if part is not None:
            yield part
    if schema.items is not None:
        yield from schema.items.schemas
    if schema.additional_items is not None and schema.additional_items.schema is not None:
        yield schema.additional_items.schema
    for several in (schema.all_of, schema.any_of, schema.one_of):
        yield from several
    for named in (schema.properties, schema.pattern_properties, schema.definitions):
        yield from named.values()
    yield from (part for part in schema.dependencies.values() if isinstance(part, Schema))


def _schema(raw: JsonObject | None, plain: Plain) -> Schema:
    return EMPTY if raw is None else read_schema(raw, plain)


def _items(value: Any, plain: Plain) -> Items:
    if isinstance(value, dict):
        return Items(read_schema(value, plain))
    return Items(None, _schemas(value, plain) if isinstance(value, list) else ())


def _dependency(value: Any, plain: Plain) -> Schema | tuple[str, ...] | None:
    if isinstance(value, dict):
        return read_schema(value, plain)
    return _strings(value, plain) if isinstance(value, list) else None


def _rule(raw: JsonObject) -> Rule:
    return Rule(
        raw.get("rule") or "",
        raw.get("message") or "",
        raw.get("messageExpression") or "",
        raw.get("reason"),
        raw.get("fieldPath") or "",
        raw.get("optionalOldSelf"),
    )


def _strings(value: list[str | None], _: Plain) -> tuple[str, ...]:
    return tuple(item or "" for item in value)


def _schemas(value: list[JsonObject | None], plain: Plain) -> tuple[Schema, ...]:
    return tuple(_schema(item, plain) for item in value)


def _named(value: dict[str, JsonObject | None], plain: Plain) -> dict[str, Schema]:
    return {key: _schema(item, plain) for key, item in value.items()}


def _schema_or_bool(value: Any, plain: Plain) -> SchemaOrBool:
    schema = read_schema(value, plain) if isinstance(value, dict) else None
    return SchemaOrBool(schema is not None or value, schema)


#: Readers of the keywords whose values are not used unchanged.
_READERS: dict[str, Callable[[Any, Plain], Any]] = {
    **dict.fromkeys(("required", "x-kubernetes-list-map-keys"), _strings),
    **dict.fromkeys(("allOf", "oneOf", "anyOf"), _schemas),
    **dict.fromkeys(("properties", "patternProperties", "definitions"), _named),
    **dict.fromkeys(("additionalProperties", "additionalItems"), _schema_or_bool),
    **dict.fromkeys(("default", "example"), lambda value, _: Json(value)),
    "enum": lambda value, _: tuple(map(Json, value)),
    "not": read_schema,
    "items": _items,
    "dependencies": lambda value, plain: {key: _dependency(item, plain) for key, item in value.items()},
    "externalDocs": lambda value, _: (value.get("description") or "", value.get("url") or ""),
    "x-kubernetes-validations": lambda value, _: tuple(_rule(item or {}) for item in value),
}
