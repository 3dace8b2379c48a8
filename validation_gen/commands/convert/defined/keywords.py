"""Converts keywords of a schema to markers, except those that types represent.

Values and descriptions become lines of comments that readers cannot mistake for anything else.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from validation_gen.diagnostics.visible import as_json_escape, has_hidden, replace_invisible, without_hidden
from validation_gen.emit.schema.values import PRESERVES
from validation_gen.rules.markers.base import ANYTHING, ARRAY, BOOLEAN, INTEGER, NUMERIC, OBJECT, STRING, admits
from validation_gen.rules.markers.keywords import KEYWORDS
from validation_gen.tags.model import PRAGMA

#: Text that needs no quotes in a marker.
_BARE = re.compile(r"(?!(?:true|false)\Z)[A-Za-z_][A-Za-z0-9_./-]*")
_WIDTH = 82
#: Beginning of a line that readers do not take for a description.
_TAKEN = re.compile(rf"\s*(?:\+|{PRAGMA})")
_SKIPPED = ("TODO", "---", "```", "~~~")


def quote(text: str) -> str:
    """Returns a text as the quoted value of a marker."""
    if "`" not in text and re.search(r'["\\]', text) and text.isprintable() and not has_hidden(text):
        return f"`{text}`"
    plain = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return replace_invisible(plain, lambda character: f"\\U{ord(character):08x}")


def bare(text: str) -> str:
    """Returns a text as the value of a marker, without quotes if it needs none."""
    return text if _BARE.fullmatch(text) else quote(text)


def as_json(value: object) -> str:
    """Returns a value in JSON, in one line without invisible characters."""
    return replace_invisible(json.dumps(value, ensure_ascii=False), as_json_escape)


def arguments(values: Mapping[str, object]) -> str:
    """Returns named arguments of a marker; texts in quotes, lists of texts with a semicolon between."""
    return ",".join(f"{name}={_argument(value)}" for name, value in values.items())


def _argument(value: object) -> str:
    if isinstance(value, list | tuple):
        return ";".join(bare(str(item)) for item in value)
    return quote(value) if isinstance(value, str) else as_json(value)


def wrap_description(text: str) -> Iterable[str]:
    """Yields the visible lines of a description. Long ones are broken, unless a part would begin like a tag."""
    for line in map(without_hidden, text.strip().splitlines()):
        parts = textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
        if len(parts) > 1 and not any(_TAKEN.match(part) or part.startswith(_SKIPPED) for part in parts[1:]):
            yield from parts
        else:
            yield line


def is_description(line: str) -> bool:
    """Returns whether readers take a line of a comment for a description, and not for a tag or a pragma."""
    return _TAKEN.match(line) is None


def in_comment(line: str) -> str:
    """Returns a line of a description as the text of a comment. A line that readers skip is moved by a blank."""
    return f" {' ' if line.startswith(_SKIPPED) else ''}{line}" if line.strip() else ""


Schema = Mapping[str, Any]
EITHER = "x-kubernetes-int-or-string"
_PREFIX = "+kubebuilder:validation:"
#: Keywords without an effect when they are false.
_SWITCHES = frozenset(
    {"exclusiveMaximum", "exclusiveMinimum", "nullable", "uniqueItems", PRESERVES, EITHER}
    | {"x-kubernetes-embedded-resource"}
)
_RULE_PARTS = ("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf")


def _limit(name: str) -> Callable[[Any], list[str]]:
    return lambda value: [f"{_PREFIX}{KEYWORDS[name].marker}={as_json(value)}"]


def _enum(values: Any) -> list[str]:
    if all(isinstance(value, str) and bare(value) == value for value in values):
        return [f"{_PREFIX}Enum={';'.join(values)}"]
    return [f"+k8s:validation:enum={as_json(values)}"]


def _rules(rules: Any) -> list[str]:
    found = []
    for rule in rules:
        parts = {name: rule[name] for name in _RULE_PARTS if rule.get(name) not in (None, "")}
        found.append(f"{_PREFIX}XValidation:{arguments(parts)}")
    return found


def _form(name: str) -> Callable[[Any], list[str]]:
    return lambda value: [f"+validation-gen:validation:{name}={as_json(value)}"] if value else []


def _docs(value: Any) -> list[str]:
    return [f"+kubebuilder:externalDocs:{arguments({k: v for k, v in value.items() if v})}"] if value.get("url") else []


#: Writers of the markers for a keyword; they return none for values without a marker.
_WRITERS: dict[str, Callable[[Any], list[str]]] = {
    "title": lambda value: [f"+kubebuilder:title={quote(value)}"],
    "externalDocs": _docs,
    "format": lambda value: [f"{_PREFIX}Format={bare(value)}"],
    "enum": _enum,
    "pattern": lambda value: [f"{_PREFIX}Pattern={quote(value)}"],
    **{
        name: _limit(name)
        for name in (
            "minLength maxLength minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minItems maxItems "
            "uniqueItems minProperties maxProperties".split()
        )
    },
    "x-kubernetes-list-type": lambda value: [f"+listType={value}"],
    "x-kubernetes-list-map-keys": lambda value: [f"+listMapKey={bare(key)}" for key in value],
    "x-kubernetes-map-type": lambda value: [f"+mapType={value}"],
    "x-kubernetes-embedded-resource": lambda value: [f"{_PREFIX}XEmbeddedResource"],
    PRESERVES: lambda value: [f"{_PREFIX}XPreserveUnknownFields"],
    EITHER: lambda value: [f"{_PREFIX}XIntOrString"],
    **{name: _form(name) for name in ("allOf", "anyOf", "oneOf", "not")},
    "default": lambda value: [f"+default={as_json(value)}"],
    "x-kubernetes-validations": _rules,
}
#: Keywords that types and fields represent, by the JSON type that they constrain.
_STRUCTURE = {"items": ARRAY, "properties": OBJECT, "additionalProperties": OBJECT, "required": OBJECT}
#: Types of the values that each keyword constrains.
_ABOUT = {
    **{name: keyword.fits for name, keyword in KEYWORDS.items()},
    **dict.fromkeys(("x-kubernetes-list-type", "x-kubernetes-list-map-keys"), frozenset({ARRAY})),
    "x-kubernetes-map-type": frozenset({OBJECT}),
}
#: Types whose examples markers can represent.
_WITH_EXAMPLES = (STRING, BOOLEAN, INTEGER, NUMERIC)


def markers(schema: Schema, done: Collection[str], *, field: bool) -> Iterator[tuple[str, list[str]]]:
    """Yields the keywords of a schema that are not `done`, each with its markers; none if it has no marker."""
    type = schema.get("type")
    for keyword in (*_WRITERS, *(key for key in schema if key not in _WRITERS)):
        value = schema.get(keyword)
        if keyword in done or keyword == "description" or value is None or (value is False and keyword in _SWITCHES):
            continue
        if keyword in _STRUCTURE:
            if type != _STRUCTURE[keyword]:
                yield keyword, []
        elif not _is_about(keyword, value, type) or _contradicts(keyword, schema):
            yield keyword, []
        elif keyword == "nullable":
            yield keyword, ["+nullable" if field else "+k8s:validation:nullable=true"]
        elif keyword == "enum":
            fit, others = _by_fit(value, type)
            if fit:
                yield keyword, _enum(fit)
            if others:
                yield keyword, []
        elif keyword == "example" and field and type in _WITH_EXAMPLES and admits(frozenset({type}), value):
            yield keyword, [f"+kubebuilder:example={quote(value) if isinstance(value, str) else as_json(value)}"]
        else:
            yield keyword, _WRITERS[keyword](value) if keyword in _WRITERS else []


def reason(keyword: str, schema: Schema) -> str:
    """Returns the reason why a keyword has no marker."""
    if not _is_about(keyword, schema.get(keyword), schema.get("type")):
        return "it has no effect on values of this type"
    if keyword == "enum":
        shown = ", ".join(map(as_json, _by_fit(schema["enum"], schema.get("type"))[1]))
        return f"no value of type {schema.get('type')} is ever {shown}"
    return "it leaves no value beside its counterpart" if _contradicts(keyword, schema) else "no marker says it"


def _by_fit(values: Sequence[Any], type: Any) -> tuple[list[Any], list[Any]]:
    """Returns the values that a type can have (integers without a fraction or an exponent) and all others."""
    if type == INTEGER:
        values = [int(each) if isinstance(each, float) and each.is_integer() else each for each in values]
    types = frozenset({type}) if type else ANYTHING
    fit = [each for each in values if each is None or admits(types, each)]
    return fit, [each for each in values if each is not None and not admits(types, each)]


def _is_about(keyword: str, value: Any, type: Any) -> bool:
    """Returns whether a keyword constrains values of a type."""
    if type == INTEGER and isinstance(value, float) and not value.is_integer():
        return False
    return type is None or keyword not in _ABOUT or type in _ABOUT[keyword]


def _contradicts(keyword: str, schema: Schema) -> bool:
    """Returns whether a maximum is below the minimum; readers report that as a mistake."""
    low = schema.get(f"min{keyword[3:]}") if keyword.startswith("max") else None
    if low is None or schema[keyword] > low:
        return False
    exclusive = keyword == "maximum" and (schema.get("exclusiveMinimum") or schema.get("exclusiveMaximum"))
    return bool(exclusive or schema[keyword] < low)
