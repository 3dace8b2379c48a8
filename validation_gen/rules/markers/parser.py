"""Parses a comment line to a marker: its name, and its arguments (`+name`, `+name=value`, `+name:arg=value,…`).

The grammar is that of controller-gen. In addition every part has its columns.
"""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.diagnostics import Severity, Span
from validation_gen.rules.markers.base import Argument, Marker, MarkerError, Use, Value
from validation_gen.rules.markers.scanner import END, IDENTIFIER, Scanner
from validation_gen.rules.markers.values import RawValue, ValueSyntaxError, expect, read_value
from validation_gen.tags.parser import RawTag
from validation_gen.tags.suggestions import did_you_mean

SYNTAX, UNKNOWN, ARGUMENT, VALUE = "VG520", "VG521", "VG523", "VG524"


def parse_name(raw: RawTag, exists: Callable[[str], bool]) -> str:
    """Returns the name of the marker in a line, `""` when it is unknown.

    The part after the last colon belongs to the name or is the first argument: `+kubebuilder:resource:path=…` is
    `kubebuilder:resource`. The longer name counts when there are both.
    """
    if exists(raw.name):
        return raw.name
    shorter = raw.name.rpartition(":")[0]
    return shorter if exists(shorter) else ""


def parse(raw: RawTag, marker: Marker) -> Use:
    """Parses a line with a marker.

    Raises:
        MarkerError: the line breaks the grammar, or its arguments do not fit the marker.
    """
    name, text = marker.name, raw.text
    name_span = raw.part(0, len(name) + 1)
    head, equals, rest = text.partition("=")
    if not equals and text.startswith(f"{name}:"):
        raise _unknown(raw, marker)
    # controller-gen takes the text up to the last colon before the first '=' as the name, so blanks may follow the
    # colon.
    if head != name and not (equals and head.rpartition(":")[0] == name):
        raise MarkerError(
            "the line has no effect, as only '=' can follow the name",
            code=SYNTAX,
            span=raw.part(len(raw.name) + 1, len(text) + 1),
            help=_suggest(raw, marker),
            severity=Severity.WARNING,
        )
    try:
        if marker.has_names:
            arguments = _read_named(raw, marker, len(name) + 1) if head != name or equals else {}
        elif marker.arguments:
            arguments = _single(raw, marker, len(head) + 1) if rest else {}
        else:
            if rest:
                message, help = "this marker takes no value", f"write +{name} alone"
                raise MarkerError(message, code=ARGUMENT, span=raw.part(len(head) + 1, len(text) + 1), help=help)
            arguments = {}
    except ValueSyntaxError as problem:
        start = min(problem.start, len(text))
        span = raw.part(start + 1, max(problem.end, start) + 1)
        help = problem.help or f"for example: {marker.example}"
        raise MarkerError(problem.message, code=SYNTAX, span=span, help=help) from None
    use = Use(name, arguments, raw.part(0, len(text) + 1), name_span)
    _check(use, marker)
    return use


def find_ignored_word(raw: RawTag, marker: Marker) -> Span | None:
    """Returns the span of a word between the last colon and `=` of a marker with one value; it has no effect."""
    head = raw.text.partition("=")[0]
    has_word = not marker.has_names and bool(head[len(marker.name) + 1 :].strip())
    return raw.part(len(marker.name) + 2, len(head) + 1) if has_word else None


def _suggest(raw: RawTag, marker: Marker) -> str:
    """Returns the help for a line with a blank or another character between the name of a marker and its value."""
    if not marker.arguments:
        return f"write +{marker.name} alone on its line"
    rest = raw.text[len(marker.name) :].strip()
    suggestion = f"{marker.name}={rest.removeprefix('=').strip()}"
    if marker.has_names or not _can_be_read(suggestion, marker):
        return f"for example: {marker.example}"
    return f"did you mean +{suggestion}?"


def _unknown(raw: RawTag, marker: Marker) -> MarkerError:
    """Returns the error for text after the name of a marker without `=`: controller-gen reads all of it as the name."""
    rest = raw.text[len(marker.name) :]
    suggestion = marker.name if not marker.arguments else f"{marker.name}={rest[1:].strip()}"
    if marker.has_names and rest.strip(": "):
        help = f"write :name=value behind the name, for example: {marker.example}"
    elif rest.strip(": ") and not _can_be_read(suggestion, marker):
        help = f"for example: {marker.example}"
    else:
        help = f"did you mean +{suggestion if rest.strip(': ') else marker.name}?"
    return MarkerError(
        "unknown marker", code=UNKNOWN, help=help, span=raw.part(0, len(raw.text) + 1), severity=Severity.WARNING
    )


def _can_be_read(text: str, marker: Marker) -> bool:
    try:
        parse(RawTag(marker.name, text, Span("", 1, 1, len(text) + 2)), marker)
    except MarkerError:
        return False
    return True


def _single(raw: RawTag, marker: Marker, position: int) -> dict[str, Value]:
    scanner = Scanner(raw.text, position)
    argument = marker.arguments[0]
    found = _read(raw, scanner, argument)
    token = scanner.scan()
    if token.kind != END:
        quoted = raw.text[position:].replace("\\", "\\\\").replace('"', '\\"')
        help = f'if all of it is one text, quote it: "{quoted}"'
        raise ValueSyntaxError(
            f"'{raw.text[token.start :]}' is left over behind the value", token.start, len(raw.text), help
        )
    return {argument.name: found}


def _read_named(raw: RawTag, marker: Marker, position: int) -> dict[str, Value]:
    scanner = Scanner(raw.text, position)
    known = {argument.name: argument for argument in marker.arguments}
    found: dict[str, Value] = {}
    if raw.text[position - 1] == "=":
        span = raw.part(position, len(raw.text) + 1)
        help = f"for example: {marker.example}"
        raise MarkerError("the arguments of this marker have names", code=ARGUMENT, span=span, help=help)
    while True:
        token = expect(scanner, IDENTIFIER)
        expect(scanner, "=")
        argument = known.get(token.text)
        if argument is None:
            help = did_you_mean(token.text, known, f"the arguments are {', '.join(known)}")
            span = raw.part(token.start + 1, token.end + 1)
            raise MarkerError(f'there is no argument "{token.text}"', code=ARGUMENT, span=span, help=help)
        found[token.text] = _read(raw, scanner, argument)
        if scanner.peek_behind_space() == "":
            return found
        expect(scanner, ",")


def _read(raw: RawTag, scanner: Scanner, argument: Argument) -> Value:
    value: RawValue = read_value(scanner, argument.type)
    items = tuple(raw.part(start + 1, end + 1) for start, end in value.items)
    return Value(value.value, raw.part(value.start + 1, value.end + 1), items)


def _check(use: Use, marker: Marker) -> None:
    for argument in marker.arguments:
        given = use.arguments.get(argument.name)
        if given is None and argument.required:
            missing = f'the argument "{argument.name}" is missing' if argument.name else "a value is missing"
            raise MarkerError(missing, code=ARGUMENT, help=f"for example: {marker.example}")
        if given is not None and argument.choices and given.value not in argument.choices:
            help = did_you_mean(str(given.value), argument.choices, f"it is one of {', '.join(argument.choices)}")
            raise MarkerError(f'"{given.value}" is no value of it', span=given.span, help=help)
