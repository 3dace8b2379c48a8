"""Markers of the schema of a type or a field, without rules: keywords, defaults, examples, titles."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from validation_gen.diagnostics import Severity
from validation_gen.rules.markers.base import (
    ANYTHING,
    ARRAY,
    BOOLEAN,
    INTEGER,
    NUMERIC,
    OBJECT,
    STRING,
    TYPE_OR_FIELD,
    Argument,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Target,
    Use,
    misfit,
    one,
)
from validation_gen.rules.markers.expressions import X_VALIDATION
from validation_gen.rules.markers.keywords import KEYWORDS, MISFIT, Keyword, set_keyword
from validation_gen.rules.markers.values import ANY, REST, TEXT

PREFIX = "kubebuilder:validation:"
ITEMS = f"{PREFIX}items:"
_FIELD = frozenset({Target.FIELD})


def _keyword(keyword: Keyword) -> SchemaMarker:
    name = f"{PREFIX}{keyword.marker}"
    argument = Argument("", keyword.type, "")
    order = 8 if keyword.name == "type" else 10

    def apply(use: Use, place: SchemaPlace) -> None:
        set_keyword(keyword, use, place)

    return SchemaMarker(name, TYPE_OR_FIELD, keyword.doc, f"+{name}={keyword.example}", (argument,), order, apply)


def _flag(name: str, keyword: str, doc: str, targets: frozenset[Target] = TYPE_OR_FIELD) -> SchemaMarker:
    """Builds a marker without a value."""

    def apply(use: Use, place: SchemaPlace) -> None:
        place.set(keyword, True, use.name, use.span)

    return SchemaMarker(name, targets, doc, f"+{name}", apply=apply)


def _int_or_string(use: Use, place: SchemaPlace) -> None:
    place.types |= {INTEGER, STRING}
    place.set("x-kubernetes-int-or-string", True, use.name, use.span)


def _schemaless(use: Use, place: SchemaPlace) -> None:
    place.notes.schemaless = True
    place.types = ANYTHING


#: A value of each type in the syntax of markers.
_SAMPLES = {STRING: '"text"', INTEGER: "1", NUMERIC: "1", BOOLEAN: "true", ARRAY: "{}", OBJECT: "{}"}


def _fit(value: object, use: Use, place: SchemaPlace, severity: Severity = Severity.ERROR) -> None:
    reason = misfit(value, place.shape, place.types)
    if reason:
        shown = json.dumps(value, ensure_ascii=False)
        help = f'write it as text: "{shown}"' if STRING in place.types and not isinstance(value, dict | list) else ""
        if not help:
            sample = next((text for type, text in _SAMPLES.items() if type in place.types), "")
            help = f"write {one(place.types)}, such as +{use.name}={sample}" if sample else "remove the marker"
        message = f"the {use.name.rpartition(':')[2]} does not fit: {reason}"
        raise MarkerError(message, span=use.place(), help=help, severity=severity)


def _value(keyword: str) -> Callable[[Use, SchemaPlace], None]:
    def apply(use: Use, place: SchemaPlace) -> None:
        value = use.value
        if value == {} and place.types == {ARRAY}:
            value = []  # the grammar has no empty list
        if keyword != "example":
            _fit(value, use, place)
        place.said.pop(keyword, None)
        place.set(keyword, value, use.name, use.span)
        if keyword == "example":
            _fit(value, use, place, Severity.WARNING)

    return apply


def _json_default(use: Use, place: SchemaPlace) -> None:
    text = use.text("")
    if text.startswith("ref("):
        return  # the value of a constant, which is not known here
    value = parse_json(text, use)
    if value is not None:
        _fit(value, use, place)
        place.set("default", value, use.name, use.span)


def parse_json(text: str, use: Use) -> object:
    """Parses a value in JSON, with the numbers of markers.

    Raises:
        MarkerError: it is not JSON.
    """
    try:
        value = json.loads(text, parse_float=_number, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        quoted = json.dumps(text, ensure_ascii=False)
        help = f"if it is text, quote it: {quoted}"
        raise MarkerError("the value is not JSON", span=use.place(), help=help) from None
    return value


def _number(text: str) -> int | float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return int(number) if number.is_integer() and abs(number) < 2**63 else number


def _no_constant(text: str) -> object:
    raise ValueError(text)


def _title(use: Use, place: SchemaPlace) -> None:
    if not isinstance(use.value, str):
        shown = json.dumps(use.value, ensure_ascii=False)
        raise MarkerError("the title is not a string", span=use.place(), help=f"quote it: {json.dumps(shown)}")
    place.set("title", use.value, use.name, use.span)


def _external_docs(use: Use, place: SchemaPlace) -> None:
    url = use.text("url")
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if not (parts.scheme or url.startswith("/")) or any(c.isspace() for c in url):
        raise MarkerError(f'"{url}" is no URL', span=use.place("url"), help="write all of it: https://…")
    value = {"url": url} | ({"description": use.text("description")} if use.text("description") else {})
    place.set("externalDocs", value, use.name, use.span)


def _about_items(marker: SchemaMarker) -> SchemaMarker:
    """Returns the same marker for the items of a list."""
    name = f"{ITEMS}{marker.name.removeprefix(PREFIX)}"
    example = marker.example.replace(f"+{PREFIX}", f"+{ITEMS}")

    def apply(use: Use, place: SchemaPlace) -> None:
        if not place.item_types:
            message = f"this is for the items of lists, and the value is {one(place.types)}"
            raise MarkerError(message, code=MISFIT, help=f"write +{marker.name}")
        marker.apply(use, place.items())

    doc = f"For the items of a list. {marker.doc}"
    # Markers for items apply after those for the list, which can make it one.
    return replace(marker, name=name, example=example, doc=doc, order=marker.order + 10, apply=apply)


_PRESERVES = "Keeps fields that the schema does not know."
_EMBEDS = "The value is an object of Kubernetes, with apiVersion, kind and metadata."
_PRUNING = "kubebuilder:pruning:PreserveUnknownFields"

#: Markers that also exist for items.
_VALIDATION = (
    *(_keyword(keyword) for keyword in KEYWORDS.values()),
    _flag(f"{PREFIX}XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", _PRESERVES),
    _flag(f"{PREFIX}XEmbeddedResource", "x-kubernetes-embedded-resource", _EMBEDS),
    SchemaMarker(
        f"{PREFIX}XIntOrString",
        TYPE_OR_FIELD,
        "The value is an integer or a string, so that keywords for either fit.",
        f"+{PREFIX}XIntOrString",
        order=9,
        apply=_int_or_string,
    ),
    X_VALIDATION,
)

MARKERS = (
    *_VALIDATION,
    *map(_about_items, _VALIDATION),
    _flag(_PRUNING, "x-kubernetes-preserve-unknown-fields", _PRESERVES),
    _flag(f"{PREFIX}EmbeddedResource", "x-kubernetes-embedded-resource", _EMBEDS, _FIELD),
    SchemaMarker(
        f"{PREFIX}Schemaless",
        _FIELD,
        "Ignores the type; the other markers are the whole schema.",
        f"+{PREFIX}Schemaless",
        order=7,
        apply=_schemaless,
    ),
    _flag("nullable", "nullable", "The value may be null.", _FIELD),
    SchemaMarker(
        "default",
        TYPE_OR_FIELD,
        "The value that an absent field gets, in JSON.",
        '+default="Idle"',
        (Argument("", REST, "a value in JSON; `ref(…)` names a constant and is skipped"),),
        9,
        _json_default,
    ),
    SchemaMarker(
        "kubebuilder:default",
        _FIELD,
        "The value that an absent field gets; it counts more than `+default`.",
        "+kubebuilder:default=Idle",
        (Argument("", ANY, "a value: `Idle`, `3`, `true`, `{a,b}`, `{key: value}`"),),
        apply=_value("default"),
    ),
    SchemaMarker(
        "kubebuilder:example",
        _FIELD,
        "A value for documentation.",
        "+kubebuilder:example=Busy",
        (Argument("", ANY, "a value, written like a default"),),
        apply=_value("example"),
    ),
    SchemaMarker(
        "kubebuilder:title",
        TYPE_OR_FIELD,
        "A title for documentation.",
        '+kubebuilder:title="Robot state"',
        (Argument("", ANY, "the title"),),
        apply=_title,
    ),
    SchemaMarker(
        "kubebuilder:externalDocs",
        TYPE_OR_FIELD,
        "Where there is more documentation.",
        '+kubebuilder:externalDocs:url="https://example.com/docs"',
        (
            Argument("url", TEXT, "its address"),
            Argument("description", TEXT, "what it is", required=False),
        ),
        apply=_external_docs,
    ),
)
