"""The JSON forms of types that decode themselves, and type-exact equality of decoded JSON.

Types such as `metav1.Time` or `resource.Quantity` are structs in Go, but a string or a number in JSON. For each there
is a `WireForm` in `WIRE` that tells which values decode, which are zero, and which two the API server holds for equal.

Sources of the behaviour: the `UnmarshalJSON` methods in `k8s.io/apimachinery` (`pkg/apis/meta/v1`, `pkg/api/resource`,
`pkg/util/intstr`, `pkg/runtime`) and in Go's `time` and `encoding/json`, and `pkg/api/equality` for what is equal.

Nothing here raises on any value that a JSON or YAML decoder returns.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.runtime.gotime import ZERO_TIME, parse_duration, parse_time
from validation_gen.runtime.quantity import quantity_amount

# --- equality --------------------------------------------------------------------------------------------------------

_KINDS = (bool, int, float, str, dict, list)


def _kind(value: object) -> type:
    """The JSON type of a value: YAML readers return subclasses of Python's types."""
    cls = value.__class__
    if cls in _KINDS:
        return cls
    return next((kind for kind in _KINDS if isinstance(value, kind)), cls)


def _same_leaf(a: object, b: object) -> bool:
    try:
        return bool(a == b) or bool(a != a and b != b)  # noqa: PLR0124 - NaN that stays NaN has not changed
    except Exception:  # foreign objects bring their own code; what cannot be compared is not known to be equal
        return False


def _typed_keys(value: dict[object, object]) -> set[tuple[type, object]]:
    return {(_kind(key), key) for key in value}


def identical(a: object, b: object) -> bool:
    """Whether two decoded JSON values are equal in type and content: `1`, `1.0` and `True` are three values.

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


# --- forms -----------------------------------------------------------------------------------------------------------


class _Malformed:
    """The type of the mark for what does not decode."""


_MALFORMED = _Malformed()


@dataclass(frozen=True)
class WireForm:
    """How values of one Go type look in JSON, and what they mean.

    Attributes:
        reason: what is said of a value that does not decode.
        read: the meaning of a value: two equal values have identical meanings.
        zero: the meaning of the type's zero value.
        nullable: whether `null` decodes, which then leaves the zero value.
    """

    reason: str
    read: Callable[[object], object]
    zero: object = None
    nullable: bool = True

    def _meaning(self, value: object) -> object:
        return self.zero if value is None else self.read(value)

    def check(self, value: object) -> str | None:
        """Why `value` does not decode, `None` if it does."""
        if value is None:
            return None if self.nullable else self.reason
        return self.reason if self.read(value) is _MALFORMED else None

    def same(self, a: object, b: object) -> bool:
        """Whether two values are equal to the API server. `None` is the zero value; a malformed one equals its copy."""
        left, right = self._meaning(a), self._meaning(b)
        if left is _MALFORMED and right is _MALFORMED:
            return identical(a, b)
        return identical(left, right)

    def is_zero(self, value: object) -> bool:
        """Whether a value decodes to the zero value."""
        return identical(self._meaning(value), self.zero)


def _anything(value: object) -> object:
    return value


def _quantity(value: object) -> object:
    amount = quantity_amount(value)
    return _MALFORMED if amount is None else amount


def _time(value: object) -> object:
    return (parse_time(value) if isinstance(value, str) else None) or _MALFORMED


def _micro_time(value: object) -> object:
    return (parse_time(value, micro=True) if isinstance(value, str) else None) or _MALFORMED


def _duration(value: object) -> object:
    nanoseconds = parse_duration(value) if isinstance(value, str) else None
    return _MALFORMED if nanoseconds is None else nanoseconds


def _int_or_string(value: object) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31:
        return value
    return _MALFORMED


# Padding is required, line breaks are skipped wherever they stand, and unused bits may be anything.
_is_base64 = re.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?").fullmatch


def _byte(value: object) -> int:
    """One element of a list of bytes, -1 if it is none. Go leaves the zero where JSON has null."""
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 256:
        return value
    return -1


def _bytes(value: object) -> object:
    if isinstance(value, str):
        text = value.replace("\r", "").replace("\n", "")
        return binascii.a2b_base64(text) if _is_base64(text) else _MALFORMED
    if isinstance(value, list):
        numbers = [_byte(item) for item in value]
        return _MALFORMED if -1 in numbers else bytes(numbers)
    return _MALFORMED


def byte_length(value: object) -> int:
    """The number of bytes that the JSON form of Go's `[]byte` stands for, 0 if it is malformed."""
    content = _bytes(value)
    return len(content) if isinstance(content, bytes) else 0


#: The forms by kind.
#:
#: - `time`, `microtime`, `gotime`: equal if they name the same instant, to the nanosecond and whatever the zone.
#:   Upstream cannot compare a bare `time.Time` (`gotime`) at all.
#: - `duration` is the one that does not decode from null.
#: - `intorstring`: `1` and `"1"` differ, and the zero value is `0`.
#: - `raw`, `any`: equal if identical. Upstream compares the bytes of a `RawExtension`, of which blanks and the order of
#:   keys are lost in decoding.
WIRE: dict[str, WireForm] = {
    "any": WireForm("must be a JSON value", _anything),
    "bytes": WireForm("must be a base64 string", _bytes, b""),
    "duration": WireForm("must be a duration", _duration, 0, nullable=False),
    "gotime": WireForm("must be an RFC 3339 time", _time, ZERO_TIME),
    "intorstring": WireForm("must be a 32-bit integer or a string", _int_or_string, 0),
    "microtime": WireForm("must be an RFC 3339 time with six decimals of the second", _micro_time, ZERO_TIME),
    "quantity": WireForm("must be a quantity", _quantity, quantity_amount(0)),
    "raw": WireForm("must be a JSON value", _anything),
    "time": WireForm("must be an RFC 3339 time", _time, ZERO_TIME),
}
