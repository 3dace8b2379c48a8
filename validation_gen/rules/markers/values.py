"""Values of a marker's arguments, parsed as in controller-gen.

A value is read as the type that the marker declares. If that is any type, it is guessed from the beginning of the text.
Lists are `a;b;c` or `{a, b, c}`, maps `{key: value}`; text needs quotes or backticks only if it contains a character
that ends values.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from validation_gen.rules.markers.scanner import (
    END,
    FLOAT,
    IDENTIFIER,
    INTEGER,
    RAW_STRING,
    STRING,
    Scanner,
    Token,
    unquote,
)

#: Greatest nesting depth. The limit keeps hostile files from exhausting the stack.
_MAX_DEPTH = 50


class Kind(enum.Enum):
    """Kinds of values. The values are phrases for messages."""

    INTEGER = "an integer"
    NUMBER = "a number"
    STRING = "a string"
    BOOL = "true or false"
    ANY = "any value"
    LIST = "a list"
    MAP = "a map"
    REST = "JSON"


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of an argument. Lists have an item type; the values of maps may be anything."""

    kind: Kind
    item: ValueType | None = None

    def __str__(self) -> str:
        if self.item is None or self.item.kind is Kind.ANY:
            return self.kind.value
        return f"a list of {self.item.kind.value.removeprefix('a ').removeprefix('an ')}s"


INT = ValueType(Kind.INTEGER)
NUMBER = ValueType(Kind.NUMBER)
TEXT = ValueType(Kind.STRING)
BOOL = ValueType(Kind.BOOL)
ANY = ValueType(Kind.ANY)
TEXTS = ValueType(Kind.LIST, TEXT)
VALUES = ValueType(Kind.LIST, ANY)
#: The rest of the line, unparsed.
REST = ValueType(Kind.REST)
_MAP = ValueType(Kind.MAP)


@dataclass(frozen=True, slots=True)
class RawValue:
    """A value with the offsets of its text, and those of its items if it is a list."""

    value: object
    start: int
    end: int
    items: tuple[tuple[int, int], ...] = ()


class ValueSyntaxError(Exception):
    """A value that cannot be read, with the offsets of the wrong text."""

    def __init__(self, message: str, start: int, end: int, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.help = help


def read_value(scanner: Scanner, type: ValueType, *, in_list: bool = False, depth: int = 0) -> RawValue:
    """Reads the next value.

    Raises:
        ValueSyntaxError: it is not of the type.
    """
    if depth > _MAX_DEPTH:
        raise ValueSyntaxError("the value is nested too deeply", scanner.position, len(scanner.text))
    match type.kind:
        case Kind.INTEGER | Kind.NUMBER:
            return _number(scanner, type)
        case Kind.BOOL:
            token = _scan(scanner)
            if token.text not in ("true", "false"):
                raise _make_unexpected(token, "true or false")
            return RawValue(token.text == "true", token.start, token.end)
        case Kind.STRING:
            return _text(scanner)
        case Kind.LIST:
            assert type.item is not None, "lists have items"
            return _list(scanner, type.item, depth)
        case Kind.MAP:
            return _map(scanner, depth)
        case Kind.REST:
            scanner.peek_behind_space()
            start, scanner.position = scanner.position, len(scanner.text)
            return RawValue(scanner.text[start:].rstrip(), start, len(scanner.text))
    return read_value(scanner, _guess(scanner, allow_list=not in_list), depth=depth)


def _scan(scanner: Scanner, *, numbers: bool = True) -> Token:
    token = scanner.scan(numbers=numbers)
    if token.problem:
        raise ValueSyntaxError(token.problem, token.start, token.end)
    return token


def expect(scanner: Scanner, kind: str) -> Token:
    """Returns the next token, which must be of a kind."""
    token = _scan(scanner)
    if token.kind != kind:
        raise _make_unexpected(token, "the name of an argument" if kind == IDENTIFIER else f"'{kind}'")
    return token


def _make_unexpected(token: Token, wanted: str) -> ValueSyntaxError:
    found = f"'{token.text}' is here" if token.text else "the line ends"
    return ValueSyntaxError(f"{found} where {wanted} is expected", token.start, max(token.end, token.start + 1))


def _number(scanner: Scanner, type: ValueType) -> RawValue:
    scanner.peek_behind_space()
    start = scanner.position
    sign = "-" if scanner.peek() == "-" else ""
    if sign:
        _scan(scanner)
    token = _scan(scanner)
    allowed = (INTEGER,) if type.kind is Kind.INTEGER else (INTEGER, FLOAT)
    if token.kind not in allowed:
        raise _make_unexpected(token, type.kind.value)
    text = sign + token.text
    number = parse_number(text)
    if number is None or (type.kind is Kind.INTEGER and ("_" in text or not -(2**63) <= number < 2**63)):
        message = f"{text} is not {type.kind.value} that a marker can have"
        bits = "64 bits" if type.kind is Kind.INTEGER else "a float of 64 bits"
        raise ValueSyntaxError(message, start, token.end, f"write a decimal number that fits into {bits}")
    return RawValue(number, start, token.end)


def parse_number(text: str) -> int | float | None:
    """Returns a decimal number as in JSON: without a zero fraction. `None` for another text, or one out of range."""
    text = text.replace("_", "")
    digits = text.removeprefix("-")
    try:
        found = float(text)
    except ValueError:
        return None
    if found in (float("inf"), float("-inf")):
        return None
    if digits.isascii() and digits.isdigit():
        return int(text)
    return int(found) if found.is_integer() and abs(found) < 2**63 else found


def _text(scanner: Scanner, *, is_key: bool = False) -> RawValue:
    """Reads a quoted string, or bare text up to a character that ends values.

    A missing text is an error here; controller-gen then reads the ending character as the text.
    """
    ends = ",;}:" if is_key else ",;}"
    if scanner.peek_behind_space() == "":
        return RawValue("", scanner.position, scanner.position)
    if scanner.peek() in ends:
        raise ValueSyntaxError("a value is missing", scanner.position, scanner.position + 1, 'the empty text is ""')
    token = _scan(scanner, numbers=False)
    if token.kind in (STRING, RAW_STRING):
        return RawValue(unquote(token), token.start, token.end)
    start, end = token.start, token.end
    while (following := scanner.peek_behind_space()) and following not in ends:
        end = _scan(scanner, numbers=False).end
    return RawValue(scanner.text[start:end], start, end)


def _list(scanner: Scanner, item: ValueType, depth: int) -> RawValue:
    braces = scanner.peek_behind_space() == "{"
    start = scanner.position
    closing, separator = ("}", ",") if braces else (",}", ";")
    if braces:
        _scan(scanner)
    found: list[RawValue] = []
    while (following := scanner.peek_behind_space()) and following not in closing:
        found.append(read_value(scanner, item, in_list=True, depth=depth + 1))
        following = scanner.peek_behind_space()
        if not following or following in closing:
            break
        expect(scanner, separator)
    end = found[-1].end if found else start
    if braces:
        end = expect(scanner, "}").end
    return RawValue([v.value for v in found], start, end, tuple((v.start, v.end) for v in found))


def _map(scanner: Scanner, depth: int) -> RawValue:
    start = expect(scanner, "{").start
    found: dict[str, object] = {}
    while (following := scanner.peek_behind_space()) and following != "}":
        key = _text(scanner, is_key=True)
        expect(scanner, ":")
        found[str(key.value)] = read_value(scanner, ANY, depth=depth + 1).value
        if scanner.peek_behind_space() in ("}", ""):
            break
        expect(scanner, ",")
    return RawValue(found, start, expect(scanner, "}").end)


def _guess(scanner: Scanner, *, allow_list: bool, depth: int = 0) -> ValueType:
    """Guesses the type of the text ahead. The first item decides for a whole list, and maps may have any values."""
    if depth > _MAX_DEPTH:
        return TEXT
    ahead = scanner.fork()
    following = ahead.peek_behind_space()
    if allow_list:
        item = _guess(scanner, allow_list=False, depth=depth)
        while (token := ahead.scan()).kind not in (",", ";", END):
            pass
        return ValueType(Kind.LIST, item) if token.kind == ";" else item
    if following and following in "\"'`":
        return TEXT
    if following == "{":
        return _guess_in_braces(ahead, depth)
    token = ahead.scan()
    if token.kind == IDENTIFIER and token.text in ("true", "false"):
        return BOOL
    if token.kind == "-":
        token = ahead.scan()
    if token.kind in (INTEGER, FLOAT) and not token.problem:
        behind = ahead.peek_behind_space()
        if not behind or behind in ",;}":
            return INT if token.kind == INTEGER else NUMBER
    return TEXT


def _guess_in_braces(ahead: Scanner, depth: int) -> ValueType:
    """Guesses the type in braces.

    A map begins with a text and a colon; empty braces are a map, or a list if one is expected.
    """
    ahead.scan()
    is_empty = ahead.peek_behind_space() == "}"
    first = _guess(ahead, allow_list=False, depth=depth + 1)
    if is_empty:
        return _MAP
    if first.kind is Kind.STRING:
        try:
            _text(ahead, is_key=True)
        except ValueSyntaxError:
            return _MAP
        if ahead.scan().kind == ":":
            return _MAP
    return ValueType(Kind.LIST, first)
