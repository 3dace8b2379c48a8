"""Markers of openapi-gen that begin with `+k8s:validation:`: keywords of schemas with values in JSON.

A name is a path into the schema and a keyword: `items:maxLength`, `properties:name:pattern`, `additionalProperties:…`.
A rule has a number and several parts: `cel[0]:rule>self > 1`, `cel[0]:message>must be more`. The value after `>` is
plain text, which continues where the next line has the same name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import Validation
from validation_gen.rules.markers.base import (
    ARRAY,
    OBJECT,
    TYPE_OR_FIELD,
    Argument,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Use,
    Value,
    one,
)
from validation_gen.rules.markers.expressions import REASONS
from validation_gen.rules.markers.keywords import KEYWORDS, MISFIT, set_keyword
from validation_gen.rules.markers.schema import parse_json
from validation_gen.rules.markers.values import REST, Kind
from validation_gen.tags.parser import RawTag
from validation_gen.tags.suggestions import did_you_mean, probable

PREFIX = "k8s:validation:"
SYNTAX, UNKNOWN, ARGUMENT, CONFLICT = "VG520", "VG521", "VG523", "VG526"
_LINE = re.compile(r"k8s:validation:(?P<key>[:\w\[\]-]*)(?:(?P<sign>[=>])(?P<value>.*))?\Z", re.DOTALL)
_RULE = re.compile(r"cel\[(\d{1,3})\]")
_RULE_PARTS = ("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf")
_WAYS = ("items", "additionalProperties", "properties")
_KINDS: dict[Kind, tuple[type, ...]] = {
    Kind.INTEGER: (int,),
    Kind.NUMBER: (int, float),
    Kind.STRING: (str,),
    Kind.BOOL: (bool,),
    Kind.LIST: (list,),
}
#: Keywords: openapi-gen takes the type from Go alone.
_KEYWORDS = {name: keyword for name, keyword in KEYWORDS.items() if name != "type"}


@dataclass(slots=True)
class _Line:
    """A key with its value; several lines for a continued text."""

    key: str
    use: Use
    is_text: bool


@dataclass(slots=True)
class _Rule:
    parts: dict[str, object] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)


def is_openapi(name: str) -> bool:
    return name.startswith(PREFIX)


def read_openapi(raws: Sequence[RawTag], place: SchemaPlace, report: Callable[[MarkerError, str, Span], None]) -> None:
    """Applies the lines for openapi-gen among some."""
    rules: dict[int, tuple[SchemaPlace, dict[int, _Rule]]] = {}
    for line in _lines(raws, report):
        try:
            _apply(line, place, rules)
        except MarkerError as error:
            report(error, line.use.name, line.use.span)
    for inner, numbered in rules.values():
        for index, number in enumerate(sorted(numbered)):
            rule = numbered[number]
            span = next(iter(rule.spans.values()))
            try:
                if number != index:
                    message = f"there is a rule {number}, and none with the number {index}"
                    raise MarkerError(message, code=CONFLICT, help="number rules from 0")
                inner.notes.validations.append(_validation(rule, span))
            except MarkerError as error:
                report(error, f"{PREFIX}cel[{number}]", span)


def _lines(raws: Sequence[RawTag], report: Callable[[MarkerError, str, Span], None]) -> Iterator[_Line]:
    """Yields the lines one by one, with continued texts joined."""
    found: list[_Line] = []
    for raw in raws:
        if not is_openapi(raw.name):
            continue
        match = _LINE.match(raw.text)
        if match is None:
            help = "write the name, '=' and a value in JSON; or '>' and a text"
            report(MarkerError("the line cannot be read", code=SYNTAX, help=help), raw.name, raw.span)
            continue
        key = match["key"].rstrip(":")
        name = f"{PREFIX}{key}"
        span = raw.part(0, len(raw.text) + 1)
        name_span = raw.part(0, len(name) + 1)
        value = (
            {"": Value(match["value"], raw.part(match.start("value") + 1, len(raw.text) + 1))} if match["sign"] else {}
        )
        line = _Line(key, Use(name, value, span, name_span), match["sign"] == ">")
        before = found[-1] if found else None
        if line.is_text and before is not None and before.is_text and before.key == key:
            text = f"{before.use.value}\n{str(match['value']).strip(' ')}"
            before.use.arguments[""] = Value(text, before.use.place())
            continue
        if line.is_text:
            line.use.arguments[""] = Value(str(match["value"]).strip(" "), line.use.place())
        found.append(line)
    yield from found


def _apply(line: _Line, place: SchemaPlace, rules: dict[int, tuple[SchemaPlace, dict[int, _Rule]]]) -> None:
    *way, last = line.key.split(":")
    if way and (rule := _RULE.fullmatch(way[-1])):
        inner = _reach(place, way[:-1], line)
        if last not in _RULE_PARTS:
            _unknown(last, _RULE_PARTS, line)
        numbered = rules.setdefault(id(inner), (inner, {}))[1].setdefault(int(rule[1]), _Rule())
        numbered.parts[last] = _value(line)
        numbered.spans[last] = line.use.span
        return
    inner = _reach(place, way, line)
    if last == "nullable":
        value = _convert(line, _value(line), (bool,), "true or false")
        inner.set("nullable", value, line.use.name, line.use.span)
        return
    keyword = _KEYWORDS.get(last)
    if keyword is None:
        _unknown(last, [*_KEYWORDS, "nullable", *_WAYS, "cel[0]:rule"], line)
    if line.use.text("").startswith("ref(") and not line.is_text:
        return  # the value of a constant, which is not known here
    value = _convert(line, _value(line), _KINDS[keyword.type.kind], keyword.type.kind.value)
    use = Use(line.use.name, {"": Value(value, line.use.place())}, line.use.span, line.use.name_span)
    set_keyword(keyword, use, inner)


def _unknown(name: str, known: Sequence[str], line: _Line) -> NoReturn:
    near = probable(name, known)
    if near is None:
        help = "it has no effect"
    else:
        suggestion = ":".join(near if part == name else part for part in line.key.split(":"))
        help = f"did you mean +{PREFIX}{suggestion}?"
    message = "there is no such keyword"
    raise MarkerError(message, code=UNKNOWN, span=line.use.name_span, help=help, severity=Severity.WARNING)


def _reach(place: SchemaPlace, way: list[str], line: _Line) -> SchemaPlace:
    """Returns the schema at a path."""
    steps = iter(way)
    for step in steps:
        wanted = ARRAY if step == "items" else OBJECT
        if step not in _WAYS:
            _unknown(step, _WAYS, line)
        if wanted not in place.types:
            message = f"{step} are for {'lists' if wanted == ARRAY else 'objects'}, and the value is {one(place.types)}"
            raise MarkerError(message, code=MISFIT)
        if step == "properties":
            name = next(steps, "")
            if not name:
                raise MarkerError("the name of a field is missing", code=ARGUMENT, span=line.use.name_span)
            place = place.member(name)
        else:
            place = place.items() if step == "items" else place.values()
    return place


def _value(line: _Line) -> object:
    if not line.use.arguments:
        return True
    return line.use.value if line.is_text else parse_json(line.use.text(""), line.use)


def _convert(line: _Line, value: object, types: tuple[type, ...], phrase: str) -> object:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise MarkerError(f"the value is not {phrase}", span=line.use.place())
    return value


def _validation(rule: _Rule, span: Span) -> Validation:
    """Builds a rule from its parts, which openapi-gen requires to be complete."""
    parts, spans = rule.parts, rule.spans
    for name, value in parts.items():
        wanted = bool if name == "optionalOldSelf" else str
        if not isinstance(value, wanted):
            phrase = "true or false" if wanted is bool else "a string"
            raise MarkerError(f"the {name} is not {phrase}", code="VG524", span=spans[name])
    if not parts.get("rule"):
        raise MarkerError("the rule is missing", code=ARGUMENT, span=span, help="add cel[…]:rule")
    if not (parts.get("message") or parts.get("messageExpression")):
        raise MarkerError("the message is missing", code=ARGUMENT, span=span, help="add cel[…]:message")
    if parts.get("message") and parts.get("messageExpression"):
        raise MarkerError("there is a message and an expression for it", code=CONFLICT, span=spans["message"])
    reason = str(parts.get("reason", ""))
    if reason and reason not in REASONS:
        help = did_you_mean(reason, REASONS, f"it is one of {', '.join(REASONS)}")
        raise MarkerError(f'"{reason}" is no reason', span=spans["reason"], help=help)
    optional = parts.get("optionalOldSelf")
    return Validation(
        rule=str(parts["rule"]),
        message=str(parts.get("message", "")),
        message_expression=str(parts.get("messageExpression", "")),
        reason=reason,
        field_path=str(parts.get("fieldPath", "")),
        optional_old_self=optional if isinstance(optional, bool) else None,
        span=span,
    )


def _marker(name: str, doc: str, example: str) -> SchemaMarker:
    argument = Argument("", REST, "the value in JSON")
    return SchemaMarker(f"{PREFIX}{name}", TYPE_OR_FIELD, doc, f"+{PREFIX}{name}={example}", (argument,))


#: For documentation only: lines are read by the path in their names.
MARKERS = (
    *(
        _marker(name, keyword.doc, {"enum": '["Idle", "Busy"]', "pattern": '"^[a-z]+$"'}.get(name, keyword.example))
        for name, keyword in _KEYWORDS.items()
        if name != "format"
    ),
    _marker("format", _KEYWORDS["format"].doc, '"date-time"'),
    _marker("nullable", "The value may be null.", "true"),
)
