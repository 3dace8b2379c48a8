"""The JSON forms of types that decode themselves, and type-exact equality of decoded JSON.

Types such as `metav1.Time` or `resource.Quantity` are structs in Go, but a string or a number in JSON. For each there
is a `WireForm` in `WIRE` that tells which values decode, which are zero, which two the API server holds for equal, and
how a value is encoded again.

Sources of the behaviour: `UnmarshalJSON` and `MarshalJSON` in `k8s.io/apimachinery` (`pkg/apis/meta/v1`,
`pkg/api/resource`, `pkg/util/intstr`, `pkg/runtime`) and in Go's `time` and `encoding/json`, and `pkg/api/equality` for
what is equal.

Nothing here raises on any value that a JSON or YAML decoder returns.
"""

from __future__ import annotations

import binascii
import datetime
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

from validation_gen.runtime.gotime import ZERO_TIME, Instant, duration_text, parse_duration, parse_time, time_text
from validation_gen.runtime.instances import Huge
from validation_gen.runtime.quantity import quantity_text, read_quantity

# --- equality --------------------------------------------------------------------------------------------------------

_KINDS = (bool, int, float, str, dict, list)


def _kind(value: object) -> type:
    """Returns the JSON type of a value: YAML readers return subclasses of Python's types."""
    cls = value.__class__
    if cls in _KINDS:
        return cls
    return next((kind for kind in _KINDS if isinstance(value, kind)), cls)


def _same_leaf(a: object, b: object) -> bool:
    try:
        return bool(a == b) or bool(a != a and b != b)  # noqa: PLR0124 - NaN that stays NaN has not changed
    except Exception:  # foreign objects bring their own code; values that cannot be compared count as unequal
        return False


def _typed_keys(value: dict[object, object]) -> set[tuple[type, object]]:
    return {(_kind(key), key) for key in value}


def identical(a: object, b: object) -> bool:
    """Returns whether two decoded JSON values are equal in type and content: `1`, `1.0` and `True` are three values.

    The order of keys is of no account. Depth is not limited, and cycles (YAML aliases) are equal if no walk along both
    ever meets a difference.
    """
    todo: list[tuple[object, object]] = [(a, b)]
    met: set[tuple[int, int]] = set()
    while todo:
        a, b = todo.pop()
        if a is b:
            continue
        if a.__class__ is not b.__class__ and _kind(a) is not _kind(b):
            return False
        if isinstance(a, dict) and isinstance(b, dict):
            if len(a) != len(b):
                return False
            if (id(a), id(b)) in met:
                continue
            met.add((id(a), id(b)))
            # YAML's keys need not be strings, and `1` finds `True` in a dict.
            if not all(key.__class__ is str for key in a) and _typed_keys(a) != _typed_keys(b):
                return False
            for key, child in a.items():
                if key not in b:
                    return False
                todo.append((child, b[key]))
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            if (id(a), id(b)) in met:
                continue
            met.add((id(a), id(b)))
            todo += zip(a, b)  # noqa: B905
        elif not _same_leaf(a, b):
            return False
    return True


def frozen(value: object) -> Hashable:
    """Returns a key that two decoded JSON values share if and only if they are identical."""
    kind = _kind(value)
    if isinstance(value, dict):
        return kind, frozenset((_kind(key), key, frozen(child)) for key, child in value.items())
    if isinstance(value, list):
        return kind, tuple(map(frozen, value))
    try:
        hash(value)
    except TypeError:  # YAML also has sets
        return kind, repr(value)
    return kind, "NaN" if value != value else value  # noqa: PLR0124 - only NaN differs from itself


def huge_number(value: object) -> Huge | None:
    """Returns a number in a decoded JSON value that no float holds, if there is one."""
    todo, met = [value], set[int]()
    while todo:
        value = todo.pop()
        if isinstance(value, Huge):
            return value
        if isinstance(value, dict | list) and id(value) not in met:
            met.add(id(value))
            todo += value.values() if isinstance(value, dict) else value
    return None


# --- forms -----------------------------------------------------------------------------------------------------------


class _Malformed:
    """The type of the mark for values that do not decode."""


_MALFORMED = _Malformed()
_NEVER = object()


def _same(value: object) -> object:
    return value


@dataclass(frozen=True)
class WireForm:
    """The JSON form of a Go type, and the meaning of its values.

    Attributes:
        reason: the error text for a value that does not decode.
        read: the meaning of a value: two equal values have identical meanings.
        zero: the meaning of the type's zero value.
        nullable: whether `null` decodes, which then leaves the zero value.
        write: the value as Go encodes it again. It is called with values that decode, `None` for the zero value.
        empty: the meaning that Go's `omitempty` leaves out. Structs are never left out.
        free: whether any JSON value decodes, so that values of different types are different values.
        text_only: whether nothing but texts decodes.
        memorable: whether texts may be remembered: those of bytes may be secrets, and hardly ever repeat.
        sure: a pattern of texts that certainly decode, as in `SURE` of `formats`; `""` if the function decides all.
    """

    reason: str
    read: Callable[[object], object]
    zero: object = None
    nullable: bool = True
    write: Callable[[object], object] = _same
    empty: object = _NEVER
    free: bool = False
    text_only: bool = False
    memorable: bool = True
    sure: str = ""

    def _meaning(self, value: object) -> object:
        return self.zero if value is None else self.read(value)

    def check(self, value: object) -> str | None:
        """Returns why `value` does not decode, `None` if it does."""
        if value is None:
            return None if self.nullable else self.reason
        if self.read(value) is not _MALFORMED:
            return None
        # Python's YAML readers make dates and times of texts, whose texts look right.
        return f"{self.reason}, not a {type(value).__name__}" if isinstance(value, datetime.date) else self.reason

    def same(self, a: object, b: object) -> bool:
        """Returns whether two values are equal to the API server.

        `None` is the zero value; a malformed one equals its copy.
        """
        left, right = self._meaning(a), self._meaning(b)
        if left is _MALFORMED and right is _MALFORMED:
            return identical(a, b)
        return identical(left, right)

    def identity(self, value: object) -> Hashable:
        """Returns a key that values share if they are equal to the API server."""
        meaning = self._meaning(value)
        return (False, frozen(value)) if meaning is _MALFORMED else (True, frozen(meaning))

    def is_zero(self, value: object) -> bool:
        """Returns whether a value decodes to the zero value."""
        return identical(self._meaning(value), self.zero)

    def is_empty(self, value: object) -> bool:
        """Returns whether Go's `omitempty` leaves a value out."""
        return identical(self._meaning(value), self.empty)


def _quantity(value: object, *, exact: bool = False) -> object:
    quantity = read_quantity(value, exact=exact)
    return _MALFORMED if quantity is None else quantity.amount


def _encode_quantity(value: object, *, exact: bool = False) -> object:
    quantity = read_quantity(value, exact=exact)
    return value if quantity is None else quantity_text(quantity)


def _instant(value: object, *, micro: bool) -> Instant | None:
    return parse_time(value, micro=micro) if isinstance(value, str) else None


def _time(value: object, *, micro: bool = False) -> object:
    return _instant(value, micro=micro) or _MALFORMED


def _encode_time(value: object, *, micro: bool = False) -> object:
    instant = _instant(value, micro=micro) or ZERO_TIME
    return None if instant == ZERO_TIME else time_text(instant, micro=micro)


def _nanoseconds(value: object) -> int | None:
    return parse_duration(value) if isinstance(value, str) else None


def _duration(value: object) -> object:
    nanoseconds = _nanoseconds(value)
    return _MALFORMED if nanoseconds is None else nanoseconds


def _encode_duration(value: object) -> object:
    return duration_text(_nanoseconds(value) or 0)


def _int_or_string(value: object) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31:
        return value
    return _MALFORMED


def _encode_int_or_string(value: object) -> object:
    return 0 if value is None else value


# Padding is required, line breaks are skipped wherever they stand, and unused bits may be anything.
_BASE64 = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
_is_base64 = re.compile(_BASE64).fullmatch


def _byte(value: object) -> int:
    """Decodes one element of a list of bytes: 0 for null, as in Go, and -1 for an invalid element."""
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 256:
        return value
    return -1


class Unpacked(bytes):
    """A list of bytes that has been decoded already. Other `bytes` are not JSON value."""


def _bytes(value: object) -> object:
    if isinstance(value, Unpacked):
        return bytes(value)
    if isinstance(value, str):
        text = value.replace("\r", "").replace("\n", "")
        return binascii.a2b_base64(text) if _is_base64(text) else _MALFORMED
    if isinstance(value, list):
        numbers = [_byte(item) for item in value]
        return _MALFORMED if -1 in numbers else bytes(numbers)
    return _MALFORMED


def _encode_bytes(value: object) -> object:
    content = _bytes(value)
    return binascii.b2a_base64(content, newline=False).decode() if isinstance(content, bytes) else None


def unpacked(value: object) -> Unpacked | None:
    """Returns the bytes of the JSON form of Go's `[]byte`, `None` for null and no bytes for malformed text."""
    if value is None:
        return None
    content = _bytes(value)
    return Unpacked(content) if isinstance(content, bytes) else Unpacked()


# Days that every month has, and no fraction: the function decides all other texts.
_SURE_TIME = (
    "[0-9]{3}[1-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]{fraction}Z"
)
# Together less than the 292 years that fit.
_SURE_DURATION = "[0-9]{1,6}h(?:[0-9]{1,6}m)?(?:[0-9]{1,9}s)?|[0-9]{1,6}m(?:[0-9]{1,9}s)?|[0-9]{1,9}(?:s|ms)"
_SURE_QUANTITY = r"[0-9]{1,9}(?:\.[0-9]{1,3})?(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?"

#: The forms by kind.
#:
#: - `time`, `microtime`, `gotime`: equal if they name the same instant, to the nanosecond and whatever the zone.
#:   Upstream cannot compare a bare `time.Time` (`gotime`) at all.
#: - `duration` is the one that does not decode from null, wherever it is no pointer.
#: - `intorstring`: `1` and `"1"` differ, and the zero value is `0`.
#: - `raw`, `any`: equal if identical. Upstream compares the bytes of a `RawExtension`, of which blanks and the order of
#:   keys are lost in decoding.
WIRE: dict[str, WireForm] = {
    "any": WireForm("must be a JSON value", _same, empty=None, free=True),
    "bytes": WireForm(
        "must be a base64 string", _bytes, b"", write=_encode_bytes, empty=b"", memorable=False, sure=_BASE64
    ),
    "duration": WireForm(
        "must be a duration", _duration, 0, nullable=False, write=_encode_duration, text_only=True, sure=_SURE_DURATION
    ),
    "exactquantity": WireForm(
        "must be a quantity",
        partial(_quantity, exact=True),
        _quantity(None),
        write=partial(_encode_quantity, exact=True),
        sure=_SURE_QUANTITY,
    ),
    "gotime": WireForm(
        "must be an RFC 3339 time", _time, ZERO_TIME, text_only=True, sure=_SURE_TIME.replace("{fraction}", "")
    ),
    "intorstring": WireForm("must be a 32-bit integer or a string", _int_or_string, 0, write=_encode_int_or_string),
    "microtime": WireForm(
        "must be an RFC 3339 time with six decimals of the second",
        partial(_time, micro=True),
        ZERO_TIME,
        write=partial(_encode_time, micro=True),
        text_only=True,
        sure=_SURE_TIME.replace("{fraction}", r"\.[0-9]{6}"),
    ),
    "quantity": WireForm("must be a quantity", _quantity, _quantity(None), write=_encode_quantity, sure=_SURE_QUANTITY),
    "raw": WireForm("must be a JSON value", _same, free=True),
    "time": WireForm(
        "must be an RFC 3339 time",
        _time,
        ZERO_TIME,
        write=_encode_time,
        text_only=True,
        sure=_SURE_TIME.replace("{fraction}", ""),
    ),
}
