"""Keywords of schemas that markers set: the type of their value, the types they apply to, and their checks.

They are the same for all spellings: `+kubebuilder:validation:MaxLength=`, `+kubebuilder:validation:items:MaxLength=`
and `+k8s:validation:maxLength=`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.rules.markers.base import (
    ANYTHING,
    ARRAY,
    INTEGER,
    JSON_TYPES,
    LISTS,
    NUMBERS,
    NUMERIC,
    OBJECT,
    OBJECTS,
    STRING,
    TEXT,
    MarkerError,
    SchemaPlace,
    Use,
    admits,
    many,
    one,
)
from validation_gen.rules.markers.values import BOOL, INT, NUMBER, VALUES, ValueType
from validation_gen.rules.markers.values import TEXT as TEXT_VALUE
from validation_gen.runtime.goregex import GoRegexError, compiled
from validation_gen.tags.suggestions import did_you_mean

MISFIT = "VG525"


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword of a schema. `fits` are the JSON types that it applies to.

    Other types may have a counterpart: `MaxItems` of lists corresponds to `MaxLength` of texts.
    """

    name: str
    type: ValueType
    fits: frozenset[str]
    doc: str
    example: str
    check: Callable[[Use, SchemaPlace], None] = lambda use, place: None

    @property
    def marker(self) -> str:
        """The name in kubebuilder's spelling."""
        return self.name[:1].upper() + self.name[1:]


def _count(use: Use, place: SchemaPlace) -> None:
    if isinstance(use.value, int) and use.value < 0:
        raise MarkerError(f"{use.value} is below zero, and this is a size", span=use.place())


def _limit(use: Use, place: SchemaPlace) -> None:
    if isinstance(use.value, float) and not use.value.is_integer() and NUMERIC not in place.types:
        raise MarkerError(f"{use.value} is not an integer, and the value is one", span=use.place())


def _multiple(use: Use, place: SchemaPlace) -> None:
    _limit(use, place)
    if isinstance(use.value, int | float) and use.value <= 0:
        raise MarkerError(f"{use.value} is not above zero", span=use.place())


def _pattern(use: Use, place: SchemaPlace) -> None:
    try:
        compiled(str(use.value))
    except GoRegexError as error:
        help = "the API server takes regular expressions in the syntax of Go (https://pkg.go.dev/regexp/syntax)"
        raise MarkerError(str(error), span=use.place(), help=help) from None


def _type(use: Use, place: SchemaPlace) -> None:
    if use.value not in JSON_TYPES:
        help = did_you_mean(str(use.value), JSON_TYPES, f"it is one of {', '.join(JSON_TYPES)}")
        raise MarkerError(f'"{use.value}" is no type of JSON', span=use.place(), help=help)


def _enum(use: Use, place: SchemaPlace) -> None:
    values = use.value if isinstance(use.value, list) else []
    for index, value in enumerate(values):
        if not admits(place.types, value) and value is not None:
            shown = str(value).lower() if isinstance(value, bool) else value
            help = f'write it as text: "{shown}"' if STRING in place.types else ""
            if place.types <= LISTS:
                help = f"+{use.name.rpartition(':')[0]}:items:Enum is about the items"
            span = use.place(item=index)
            raise MarkerError(f"the value is {one(place.types)}, which can never be {shown}", span=span, help=help)


#: Pairs of limits that admit nothing when the first is above the second.
PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)

#: All keywords by name.
KEYWORDS: dict[str, Keyword] = {
    keyword.name: keyword
    for keyword in (
        Keyword("maximum", NUMBER, NUMBERS, "The greatest number that is allowed.", "100", _limit),
        Keyword("minimum", NUMBER, NUMBERS, "The least number that is allowed.", "0", _limit),
        Keyword("exclusiveMaximum", BOOL, NUMBERS, "Whether the maximum itself is too much.", "true"),
        Keyword("exclusiveMinimum", BOOL, NUMBERS, "Whether the minimum itself is too little.", "true"),
        Keyword("multipleOf", NUMBER, NUMBERS, "A number of which the value is a multiple.", "5", _multiple),
        Keyword("maxLength", INT, TEXT, "The greatest number of characters of a string.", "63", _count),
        Keyword("minLength", INT, TEXT, "The least number of characters of a string.", "1", _count),
        Keyword("pattern", TEXT_VALUE, TEXT, "A regular expression that the string matches.", "`^[a-z]+$`", _pattern),
        Keyword("maxItems", INT, LISTS, "The greatest number of items of a list.", "16", _count),
        Keyword("minItems", INT, LISTS, "The least number of items of a list.", "1", _count),
        Keyword("uniqueItems", BOOL, LISTS, "Whether the items of a list differ from each other.", "true"),
        Keyword("maxProperties", INT, OBJECTS, "The greatest number of entries of an object.", "16", _count),
        Keyword("minProperties", INT, OBJECTS, "The least number of entries of an object.", "1", _count),
        Keyword("enum", VALUES, ANYTHING, "The values that there are.", "Idle;Busy", _enum),
        Keyword("format", TEXT_VALUE, ANYTHING, "The format of the value, such as `date-time`.", "date-time"),
        Keyword("type", TEXT_VALUE, ANYTHING, "The JSON type, in the place of the Go type's.", "string", _type),
    )
}

_RELATED = {
    ARRAY: {"maxLength": "maxItems", "minLength": "minItems", "maxProperties": "maxItems", "minProperties": "minItems"},
    STRING: {"maxItems": "maxLength", "minItems": "minLength"},
    OBJECT: {
        "maxLength": "maxProperties",
        "minLength": "minProperties",
        "maxItems": "maxProperties",
        "minItems": "minProperties",
    },
    INTEGER: {"maxLength": "maximum", "minLength": "minimum", "maxItems": "maximum", "minItems": "minimum"},
}


def set_keyword(keyword: Keyword, use: Use, place: SchemaPlace) -> None:
    """Sets a keyword of a schema.

    Raises:
        MarkerError: the keyword does not fit the type, or its value is wrong.
    """
    if keyword.fits.isdisjoint(place.types):
        message = f"this is for {many(keyword.fits)}, and the value is {one(place.types)}"
        raise MarkerError(message, code=MISFIT, help=_instead(keyword, use.name, place))
    keyword.check(use, place)
    if keyword.name == "type":
        place.types = frozenset({str(use.value)})
    place.set(keyword.name, use.value, use.name, use.span)


def report_contradictions(place: SchemaPlace) -> None:
    """Reports limits that no value can satisfy."""
    keywords, said = place.notes.keywords, place.said
    for least, most in PAIRS:
        low, high = keywords.get(least), keywords.get(most)
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            continue
        exclusive = least == "minimum" and (keywords.get("exclusiveMinimum") or keywords.get("exclusiveMaximum"))
        if low > high or (low == high and exclusive):
            name, span = said[most]
            message = f"{place.name}: +{name} leaves no value above {low}, which line {said[least][1].line} asks for"
            place.diagnostics.error("VG526", message, span, "raise the one or lower the other")
    for inner in place.inner:
        report_contradictions(inner)


def _instead(keyword: Keyword, name: str, place: SchemaPlace) -> str:
    """Returns the help for a marker that does not fit the type of the value."""
    prefix, _, last = name.rpartition(":")

    def written(other: str) -> str:
        return f"+{prefix}:{KEYWORDS[other].marker if last[:1].isupper() else other}"

    ways = []
    inner = place.item_types
    if inner and not keyword.fits.isdisjoint(inner) and not prefix.endswith(":items"):
        ways.append(f"+{prefix}:items:{last} for the items")
    for type, related in _RELATED.items():
        if type in place.types and keyword.name in related:
            ways.append(f"{written(related[keyword.name])} for the {_WORDS[type]}")
    if ways:
        return f"write {', or '.join(ways)}"
    if place.types == OBJECTS and keyword.fits == TEXT and last[:1].isupper():
        return f"if its JSON form is a string, add +{prefix}:Type=string"
    return ""


_WORDS = {ARRAY: "list", STRING: "string", OBJECT: "object", INTEGER: "number"}
