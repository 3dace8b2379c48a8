"""Values of Go literals, arithmetic of Go's constants on Python values, and struct tags (`reflect.StructTag`).

Integers are exact, strings are strings, floats are Python's (Go's are more exact; constants of APIs do not show it). A
result that Go would refuse, or that grows without bounds, is `None`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from validation_gen.sources.model import INTEGER_KINDS

_ESCAPE = re.compile(
    rb"\\(?:([abfnrtv\\'\"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.?))", re.DOTALL
)
_SIMPLE = dict(zip(b"abfnrtv\\'\"", b"\a\b\f\n\r\t\v\\'\"", strict=True))
_LAST_CODE_POINT = 0x10FFFF
# One `key:"value"` pair of a struct tag: the key has no blanks, control characters, quotes or colons.
_TAG_PAIR = re.compile(r' *([^\x00-\x20:"\x7f]+):("(?:[^"\\]|\\.)*")', re.DOTALL)


def string_value(literal: str) -> str | None:
    r"""Returns the value of a string literal of either form, with its quotes; `None` when it is malformed.

    Bytes that are no UTF-8 (`"\xff"`) become U+FFFD, as in Go's JSON encoding.
    """
    if len(literal) < 2 or literal[0] != literal[-1]:
        return None
    body = literal[1:-1]
    if literal[0] == "`":
        return body.replace("\r", "")  # Go drops carriage returns from raw strings
    if literal[0] != '"' or "\n" in body:
        return None
    return _unescape(body) if "\\" in body else body


def rune_value(literal: str) -> int | None:
    r"""Returns the code point of a rune literal such as `'x'` or `'\u00e9'`; `None` when it is malformed."""
    body = literal[1:-1]
    if len(body) == 1:
        return ord(body)
    code = re.fullmatch(r"\\x([0-9a-fA-F]{2})|\\([0-7]{3})", body)
    if code:  # unlike in strings, these are code points and not bytes
        return int(code[1], 16) if code[1] else int(code[2], 8)
    value = _unescape(body)
    return ord(value) if value is not None and len(value) == 1 else None


def integer_value(literal: str) -> int | None:
    """Returns the value of an integer literal: decimal, `0x`, `0b`, `0o` or octal with a leading 0, also with `_`."""
    digits = literal.replace("_", "").lower()
    if re.fullmatch(r"0[0-7]+", digits):
        digits = "0o" + digits[1:]
    try:
        return int(digits, 0)
    except ValueError:  # also a decimal literal longer than Python's limit, which fits no Go type
        return None


def float_value(literal: str) -> float | None:
    """Returns the value of a float literal, decimal or hexadecimal (`0x1p-2`)."""
    digits = literal.replace("_", "").lower()
    try:
        return float.fromhex(digits) if digits.startswith("0x") else float(digits)
    except (ValueError, OverflowError):
        return None


def tag_value(tag: str, key: str) -> str:
    """Returns the result of `reflect.StructTag(tag).Get(key)`: the first pair's value with this key, else `""`.

    Parsing stops at the first text that is not a pair, so a malformed tag hides the pairs after it, as in Go.
    """
    position = 0
    while pair := _TAG_PAIR.match(tag, position):
        if pair[1] == key:
            return string_value(pair[2]) or ""
        position = pair.end()
    return ""


@dataclass(frozen=True, slots=True)
class JSONTag:
    """The `json` key of a struct tag: the name before the first comma, `""` when there is none, and the options."""

    name: str
    options: tuple[str, ...]
    omitted: bool

    @property
    def inline(self) -> bool:
        return "inline" in self.options

    @property
    def omit(self) -> str:
        return next((option for option in ("omitempty", "omitzero") if option in self.options), "")


def json_tag(tag: str) -> JSONTag:
    """Parses the `json` key as `LookupJSON` of gengo does: `-` alone omits the field, `-,` is the name `-`."""
    value = tag_value(tag, "json")
    name, _, options = value.partition(",")
    return JSONTag(name, tuple(options.split(",")) if options else (), omitted=value == "-")


def _unescape(body: str) -> str | None:
    r"""Replaces Go's escapes, on bytes: `\xNN` and octal escapes are bytes of the UTF-8 form."""
    malformed = False

    def replace(match: re.Match[bytes]) -> bytes:
        nonlocal malformed
        simple, byte, short, long, octal, _ = match.groups()
        if simple:
            return bytes([_SIMPLE[simple[0]]])
        code = int(byte or short or long or b"0", 16) if not octal else int(octal, 8)
        if octal or byte:
            malformed |= code > 0xFF
            return bytes([code & 0xFF])
        if not (short or long) or code > _LAST_CODE_POINT or 0xD800 <= code <= 0xDFFF:
            malformed = True
            return b""
        return chr(code).encode()

    value = _ESCAPE.sub(replace, body.encode())
    return None if malformed else value.decode(errors="replace")


Scalar = str | int | float | bool

_MAX_BITS = 512  # the limit of Go's compiler for untyped integers
_MAX_SHIFT = 1100
_MAX_LENGTH = 1 << 20
_UNSIGNED_BITS = {"uint": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "uintptr": 64}

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "&^": lambda left, right: left & ~right,
}
_FLOATS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def unary(operation: str, value: Scalar, kind: str) -> Scalar | None:
    """Returns the result of a unary operator.

    `kind` is the builtin type of the operand, `""` when it has none: `^` of unsigned types keeps within their bits.
    """
    if isinstance(value, bool):
        return not value if operation == "!" else None
    if isinstance(value, str):
        return None
    if operation == "+":
        return value
    if operation == "-":
        return -value
    if operation == "^" and isinstance(value, int):
        bits = _UNSIGNED_BITS.get(kind)
        return ~value if bits is None else ~value & ((1 << bits) - 1)
    return None


def binary(operation: str, left: Scalar | None, right: Scalar | None) -> Scalar | None:
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str) or isinstance(left, bool) or isinstance(right, bool):
        if type(left) is not type(right):
            return None
        if operation in _COMPARISONS:
            ordered = isinstance(left, str) or operation in ("==", "!=")
            return _COMPARISONS[operation](left, right) if ordered else None
        if isinstance(left, str) and isinstance(right, str):
            return left + right if operation == "+" and len(left) + len(right) <= _MAX_LENGTH else None
        if operation == "&&":
            return left and right
        return left or right if operation == "||" else None
    if operation in _COMPARISONS:
        return _COMPARISONS[operation](left, right)
    if isinstance(left, int) and isinstance(right, int):
        return _integer(operation, left, right)
    if operation not in _FLOATS or (operation == "/" and right == 0):
        return None
    try:
        result = _FLOATS[operation](left, right)
    except OverflowError:
        return None
    return result if math.isfinite(result) else None


def _integer(operation: str, left: int, right: int) -> int | None:
    result: int | None = None
    if operation in ("<<", ">>"):
        if 0 <= right <= _MAX_SHIFT:
            result = left << right if operation == "<<" else left >> right
    elif operation in ("/", "%"):
        if right:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # Go rounds towards zero
            result = quotient if operation == "/" else left - quotient * right
    elif operation in _INTEGERS:
        result = _INTEGERS[operation](left, right)
    return result if result is not None and result.bit_length() <= _MAX_BITS else None


def convert(value: Scalar, kind: str) -> Scalar | None:
    """Converts `value` to the builtin type `kind`; `None` when Go has no such conversion of constants."""
    if kind == "string":
        if isinstance(value, int) and not isinstance(value, bool):
            valid = 0 <= value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF
            return chr(value) if valid else "\ufffd"  # `string('a')` is "a"
        return value if isinstance(value, str) else None
    if kind == "bool":
        return value if isinstance(value, bool) else None
    if isinstance(value, str | bool):
        return None
    if kind in INTEGER_KINDS:
        return int(value) if isinstance(value, int) or value.is_integer() else None
    if kind in ("float32", "float64"):
        try:
            return float(value)
        except OverflowError:
            return None
    return value
