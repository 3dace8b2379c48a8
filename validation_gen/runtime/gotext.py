"""Values as Go prints them: `%q`, `%v` and the text of `encoding/json`.

Error messages of the API server show the offending value, so a message is only the same if these three are.

Sources of the behaviour: Go's `strconv.Quote`, `strconv.FormatFloat`, `fmt` (`%v`) and `encoding/json.Marshal`, and the
choice between them in `Error.ErrorBody` of `k8s.io/apimachinery/pkg/util/validation/field`.

Nothing here raises on any value that a JSON or YAML decoder returns, be it nested deeply, cyclic (YAML aliases) or of a
type that JSON does not know.
"""

from __future__ import annotations

import datetime
import functools
import math
import re
from typing import Any

from validation_gen.runtime.gotime import iso_text

#: Replaces half a surrogate pair as Go's JSON decoder does. Python's decoder keeps it.
_REPLACEMENT = "\ufffd"

# --- strconv.Quote ---------------------------------------------------------------------------------------------------

# `strconv.IsPrint` and `str.isprintable` have one definition but depend on the version of Unicode: 15.0 in the Go
# releases that build the API servers we follow, 13.0 (Python 3.10) or later here. These two corrections make the answer
# the same on every Python. The first is what is printable in 15.0 and not yet in 13.0, ...
_ADDED_UNTIL_15 = (
    "61d 870-88e 898-89f 8b5 8c8-8d2 c3c c5d cdd cf3 ece 170d 1715 171f 180f 1ac1-1ace 1b4c 1b7d-1b7e 1dfa 20c0 "
    "2c2f 2c5f 2e53-2e5d 9ffd-9fff a7c0-a7c1 a7d0-a7d1 a7d3 a7d5-a7d9 a7f2-a7f4 fbc2 fd40-fd4f fdcf fdfe-fdff "
    "10570-1057a 1057c-1058a 1058c-10592 10594-10595 10597-105a1 105a3-105b1 105b3-105b9 105bb-105bc 10780-10785 "
    "10787-107b0 107b2-107ba 10efd-10eff 10f70-10f89 11070-11075 110c2 1123f-11241 116b9 11740-11746 11ab0-11abf "
    "11b00-11b09 11f00-11f10 11f12-11f3a 11f3e-11f59 12f90-12ff2 1342f 13440-13455 16a70-16abe 16ac0-16ac9 "
    "1aff0-1aff3 1aff5-1affb 1affd-1affe 1b11f-1b122 1b132 1b155 1cf00-1cf2d 1cf30-1cf46 1cf50-1cfc3 1d1e9-1d1ea "
    "1d2c0-1d2d3 1df00-1df1e 1df25-1df2a 1e030-1e06d 1e08f 1e290-1e2ae 1e4d0-1e4f9 1e7e0-1e7e6 1e7e8-1e7eb "
    "1e7ed-1e7ee 1e7f0-1e7fe 1f6dc-1f6df 1f774-1f776 1f77b-1f77f 1f7d9 1f7f0 1f979 1f9cc 1fa75-1fa77 1fa7b-1fa7c "
    "1fa87-1fa88 1faa9-1faaf 1fab7-1fabd 1fabf 1fac3-1fac5 1face-1facf 1fad7-1fadb 1fae0-1fae8 1faf0-1faf8 "
    "2a6de-2a6df 2b735-2b739 31350-323af"
)
# ... the second what became printable after 15.0, up to 17.0.
_ADDED_AFTER_15 = (
    "88f 897 c5c cdc 1acf-1add 1ae0-1aeb 1b4e-1b4f 1b7f 1c89-1c8a 20c1 2427-2429 2b96 2ffc-2fff 31e4-31e5 31ef "
    "a7cb-a7cf a7d2 a7d4 a7da-a7dc a7f1 fbc3-fbd2 fd90-fd91 fdc8-fdce 105c0-105f3 10940-10959 10d40-10d65 "
    "10d69-10d85 10d8e-10d8f 10ec2-10ec7 10ed0-10ed8 10efa-10efc 11380-11389 1138b 1138e 11390-113b5 113b7-113c0 "
    "113c2 113c5 113c7-113ca 113cc-113d5 113d7-113d8 113e1-113e2 116d0-116e3 11b60-11b67 11bc0-11be1 11bf0-11bf9 "
    "11db0-11ddb 11de0-11de9 11f5a 13460-143fa 16100-16139 16d40-16d79 16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 "
    "187f8-187ff 18cff 18d09-18d1e 18d80-18df2 1cc00-1ccfc 1cd00-1ceb3 1ceba-1ced0 1cee0-1cef0 1e5d0-1e5fa 1e5ff "
    "1e6c0-1e6de 1e6e0-1e6f5 1e6fe-1e6ff 1f6d8 1f777-1f77a 1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8 1fa54-1fa57 "
    "1fa89-1fa8a 1fa8e-1fa8f 1fabe 1fac6 1fac8 1facd 1fadc 1fadf 1fae9-1faea 1faef 1fbcb-1fbef 1fbfa 2b73a-2b73f "
    "2cea2-2cead 2ebf0-2ee5d 323b0-33479"
)

_QUOTE_SPECIAL = re.compile(r"[^ !#-\[\]-~]")
QUOTE_SHORT = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    '"': r"\"",
    "\\": r"\\",
}


@functools.cache
def _code_points(ranges: str) -> re.Pattern[str]:
    """Returns a pattern for one character of ranges in hexadecimal."""
    bounds = (item.partition("-") for item in ranges.split())
    return re.compile("[" + "".join(f"\\U{a:0>8}-\\U{b or a:0>8}" for a, _, b in bounds) + "]")


def _quote_one(match: re.Match[str]) -> str:
    char = match[0]
    short = QUOTE_SHORT.get(char)
    if short is not None:
        return short
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xD800 <= code <= 0xDFFF:
        return _REPLACEMENT
    if char.isprintable():
        if not _code_points(_ADDED_AFTER_15).match(char):
            return char
    elif _code_points(_ADDED_UNTIL_15).match(char):
        return char
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def go_quote(text: str) -> str:
    """Returns `text` in double quotes with Go's escapes, as `%q` and `strconv.Quote` print it."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{_QUOTE_SPECIAL.sub(_quote_one, text)}"'


# --- encoding/json ---------------------------------------------------------------------------------------------------

_JSON_SPECIAL = re.compile('[\x00-\x1f"\\\\<>&\u2028\u2029\ud800-\udfff]')
_JSON_SHORT = {char: QUOTE_SHORT[char] for char in '\b\f\n\r\t"\\'}


def _json_one(match: re.Match[str]) -> str:
    char = match[0]
    short = _JSON_SHORT.get(char)
    if short is not None:
        return short
    code = ord(char)
    return _REPLACEMENT if 0xD800 <= code <= 0xDFFF else f"\\u{code:04x}"


def _json_string(text: str) -> str:
    return f'"{_JSON_SPECIAL.sub(_json_one, text)}"'


def _json_scalar(value: object) -> str:
    """Returns the JSON text of anything but a map or a list."""
    if isinstance(value, str):
        return _json_string(value)
    if value is None:
        return "null"
    if isinstance(value, (bool, int)):
        return _go_integer(value)
    if isinstance(value, float):
        return _go_float(value, -6, 21, short_exponent=True)
    try:
        return _json_string(iso_text(value) if isinstance(value, datetime.date) else repr(value))
    except Exception:  # `repr` is the object's own code; a message must come out whatever that does
        return _json_string(f"<{type(value).__name__}>")


_CONTAINERS = (dict, list, tuple)


def _json_key(key: object) -> str:
    """Returns the text of a map's key.

    Go's maps have string keys only; others are named as by the server's YAML reader.
    """
    if isinstance(key, datetime.date):
        return _json_scalar(key)
    return _json_string(key if isinstance(key, str) else render_bad_value(key, json_string=True))


_VALUE, _TEXT, _LEAVE = range(3)


def _json_of_scalars(value: dict[object, object]) -> str | None:
    """Returns the JSON text of a map without maps and lists, as most items of lists are; `None` for others."""
    parts = []
    for key, item in value.items():
        if isinstance(item, _CONTAINERS):
            return None
        shown = _json_string(item) if item.__class__ is str else _json_scalar(item)
        parts.append(f"{_json_key(key)}:{shown}")
    return f"{{{','.join(parts)}}}"


def go_json(value: object) -> str:
    """Returns the JSON text of decoded JSON, as Go's `json.Marshal` writes it, with map keys in the given order.

    NaN and the infinities, which Go refuses, come out as Go names them elsewhere, a map or list inside itself as
    `null`, a date or time as it is written in YAML, and an object that JSON does not know as the JSON string of its
    `repr`.
    """
    if not isinstance(value, (dict, list, tuple)):
        return _json_scalar(value)
    if isinstance(value, dict) and (flat := _json_of_scalars(value)) is not None:
        return flat
    out: list[str] = []
    # An explicit stack: the depth of a document is its author's choice and not the interpreter's.
    todo: list[tuple[int, object]] = [(_VALUE, value)]
    entered: set[int] = set()
    while todo:
        kind, item = todo.pop()
        if kind == _TEXT:
            out.append(str(item))
        elif kind == _LEAVE:
            entered.discard(id(item))
        elif not isinstance(item, (dict, list, tuple)):
            out.append(_json_scalar(item))
        elif id(item) in entered:
            out.append("null")
        else:
            entered.add(id(item))
            inside: list[tuple[int, object]] = []
            if isinstance(item, dict):
                for key, child in item.items():
                    inside += (_TEXT, f"{',' if inside else '{'}{_json_key(key)}:"), (_VALUE, child)
                inside += (_TEXT, "}" if inside else "{}"), (_LEAVE, item)
            else:
                for child in item:
                    inside += (_TEXT, "," if inside else "["), (_VALUE, child)
                inside += (_TEXT, "]" if inside else "[]"), (_LEAVE, item)
            todo += reversed(inside)
    return "".join(out)


def sort_members(value: Any) -> Any:
    """Returns a value whose maps have their keys in order, as Go writes maps."""
    if isinstance(value, dict):
        return {name: sort_members(value[name]) for name in sorted(value)}
    return [sort_members(item) for item in value] if isinstance(value, list) else value


# --- numbers and the choice ------------------------------------------------------------------------------------------


def _go_integer(value: int) -> str:
    if value is True or value is False:
        return "true" if value else "false"
    try:
        return int.__repr__(value)
    except ValueError:  # beyond the interpreter's limit on decimal digits, to which hexadecimal is not subject
        return hex(value)


def _go_float(value: float, low: int, high: int, *, short_exponent: bool) -> str:
    """Prints a float with the fewest digits that identify it, in exponent form for exponents < `low` or >= `high`."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    mantissa, _, exponent_text = float.__repr__(value).partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.removeprefix("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = int(exponent_text or 0) + len(whole) - 1 - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not digits:
        return f"{sign}0"
    if exponent < low or exponent >= high:
        tail = f"e{exponent:+d}" if short_exponent else f"e{exponent:+03d}"
        return f"{sign}{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}{tail}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole, fraction = digits[: exponent + 1], digits[exponent + 1 :]
    return f"{sign}{whole.ljust(exponent + 1, '0')}{'.' if fraction else ''}{fraction}"


def render_bad_value(value: object, json_string: bool) -> str:
    """Returns the value of an error as its message shows it.

    Numbers and booleans print as `%v` does, strings as `%q`. All else is JSON, and so are these if `json_string`: they
    are of a named type, or a pointer points to them.
    """
    if value.__class__ is str:
        return _json_string(value) if json_string else go_quote(value)
    if value.__class__ is int:
        return _go_integer(value)
    if json_string:
        return go_json(value)
    if isinstance(value, str):
        return go_quote(value)
    if isinstance(value, (bool, int)):
        return _go_integer(value)
    if isinstance(value, float):
        return _go_float(value, -4, 6, short_exponent=False)
    return go_json(value)


def go_value(value: object) -> str:
    """Returns a decoded JSON value as `%v` prints it."""
    if value is None:
        return "<nil>"
    if isinstance(value, (bool, int, float)):
        return render_bad_value(value, json_string=False)
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{go_value(item)}' for key, item in sorted(value.items()))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(go_value, value))}]"
    return str(value)
