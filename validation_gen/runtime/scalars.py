"""The shapes of single values: strings, numbers, booleans, and types with a JSON form of their own."""

from __future__ import annotations

import json
import math
import re
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.instances import Huge, MinusZero, plain_value
from validation_gen.runtime.names import remember
from validation_gen.runtime.shape import Recovered, Shape, WrongTypeError, wrong_type
from validation_gen.runtime.wire import WIRE, WireForm, huge_number

_HALF = re.compile("[\ud800-\udfff]")
#: Numbers in strings have the syntax of Go's `strconv`, not of JSON, from their sign or first digit on.
_INTEGER = re.compile("-?0*[0-9]{1,20}")
_FLOAT = re.compile(r"-[0-9.][0-9._]*(?:[eE][+-]?[0-9_]+)?|[0-9][0-9._]*(?:[eE][+-]?[0-9_]+)?")
_HEXADECIMAL = re.compile(r"-?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+")


class Plain(Shape):
    """A scalar: `zero` is its zero value, `stand_in` a value that is set."""

    __slots__ = ()
    zero: Any
    stand_in: Any
    wanted: str

    @abstractmethod
    def fits(self, value: Any) -> bool: ...

    def decoded(self, value: Any) -> Any:
        if value is None:
            return self.zero
        if self.fits(value):
            return value
        raise WrongTypeError

    def exact(self, value: Any) -> bool:
        return value is None or self.fits(value)

    def recover(self, value: Any) -> Recovered | None:
        return None if value is None or self.fits(value) else Recovered(self.stand_in, self.wrong(value))

    def unquoted(self, text: str) -> Any:
        """Decodes a string that must contain exactly one value; `None` for null.

        Raises:
            WrongTypeError: it holds something else.
        """
        if text == "null":
            return None
        try:
            value = self.read(text)
        except (ValueError, OverflowError):
            raise WrongTypeError from None
        if not self.fits(value):
            raise WrongTypeError
        return value

    @abstractmethod
    def read(self, text: str) -> Any:
        """Parses a text as Go does.

        Raises:
            ValueError: it is no such value.
            OverflowError: it is too large a number.
        """

    def wrong(self, value: Any) -> list[FieldError]:
        """Returns the errors of a value that does not fit."""
        return wrong_type(value, self.wanted)

    def same(self, a: Any, b: Any) -> bool:
        a = self.zero if a is None else a
        return bool(a == (self.zero if b is None else b)) and self.fits(a)

    def identity(self, value: Any) -> Hashable:
        identity: Hashable = self.zero if value is None else value
        return identity

    def encoded(self, value: Any) -> Any:
        return self.zero if value is None else value

    def is_zero(self, value: Any) -> bool:
        return value is None or value == self.zero

    is_empty = is_zero


class _String(Plain):
    __slots__ = ()
    zero, stand_in, wanted = "", "\ue000", "a string"  # a character that no real value has
    confusable = False

    def read(self, text: str) -> Any:
        if text[:1] != '"' or text[-1:] != '"':  # without the blanks around it
            raise ValueError
        return _HALF.sub("\ufffd", json.loads(text))

    def fits(self, value: Any) -> bool:
        return isinstance(value, str)


class _Boolean(Plain):
    __slots__ = ()
    zero, stand_in, wanted = False, True, "a boolean"

    def read(self, text: str) -> Any:
        return {"true": True, "false": False}.get(text)

    def fits(self, value: Any) -> bool:
        return value is True or value is False

    def recover(self, value: Any) -> Recovered | None:
        return None if value.__class__ is bool else super().recover(value)


class Integer(Plain):
    """An integer of one of Go's sizes."""

    __slots__ = ("high", "low", "stand_in", "wanted")
    zero = 0

    def __init__(self, name: str, low: int, high: int) -> None:
        self.low = low
        self.high = high
        self.stand_in = high  # a number that real values hardly have
        self.wanted = f"an integer ({name})"

    def read(self, text: str) -> Any:
        if not _INTEGER.fullmatch(text):
            raise ValueError
        return int(text) if text[0] != "-" or self.low < 0 else None

    def fits(self, value: Any) -> bool:
        return (
            isinstance(value, int)
            and value is not True
            and value is not False
            and self.low <= value <= self.high
            and (value.__class__ is not MinusZero or self.low < 0)
        )

    def recover(self, value: Any) -> Recovered | None:
        return None if value.__class__ is int and self.low <= value <= self.high else super().recover(value)

    def wrong(self, value: Any) -> list[FieldError]:
        if isinstance(value, int | Huge) and not isinstance(value, bool):
            detail = f"must be {self.wanted} between {self.low} and {self.high}"
            return [FieldError(ErrorType.TYPE_INVALID, value, detail)]
        return wrong_type(value, self.wanted)


class _Float(Plain):
    __slots__ = ()
    zero, stand_in, wanted = 0, 1, "a number"

    def read(self, text: str) -> Any:
        if _HEXADECIMAL.fullmatch(text):
            return float.fromhex(text)
        if not _FLOAT.fullmatch(text) or not math.isfinite(value := float(text)):
            raise ValueError
        return value

    def encoded(self, value: Any) -> Any:
        """Go writes whole numbers without a fraction, and the zero with its sign."""
        value = super().encoded(value)
        if not isinstance(value, float) or not value.is_integer() or abs(value) >= 1e21:
            return value
        return int(value) if value or math.copysign(1, value) > 0 else value

    def wrong(self, value: Any) -> list[FieldError]:
        if isinstance(value, Huge):
            return [FieldError(ErrorType.TYPE_INVALID, value, "must be a number that a float64 can hold")]
        return super().wrong(value)

    def fits(self, value: Any) -> bool:
        return isinstance(value, float | int) and value is not True and value is not False


class Wire(Shape):
    """A type with a JSON form of its own, such as a time or a quantity."""

    __slots__ = ("form", "known")

    def __init__(self, form: WireForm) -> None:
        self.form = form
        #: Cached texts that decode.
        self.known: set[str] = set()

    @property
    def confusable(self) -> bool:  # type: ignore[override] # a constant of other single values
        return not self.form.text_only

    def decoded(self, value: Any) -> Any:
        if value is not None and self.form.check(value) is not None:
            raise WrongTypeError
        if self.form.memorable:
            remember(self.known, value)
        return value

    def present(self, value: Any) -> Any:
        """Decodes a value that is not null; not all types decode null.

        Raises:
            WrongTypeError: the value does not decode.
        """
        if value is None and not self.form.nullable:
            raise WrongTypeError
        return self.decoded(value)

    def exact(self, value: Any) -> bool:
        if self.form.free:
            return value is None or value.__class__ is str
        return value is None or value.__class__ is str or self.form.check(value) is None

    def recover(self, value: Any) -> Recovered | None:
        if value.__class__ is str and value in self.known:
            return None
        reason = self.form.check(value)
        return None if reason is None else Recovered(self.stand_in, [FieldError(ErrorType.TYPE_INVALID, value, reason)])

    @property
    def stand_in(self) -> Any:
        """Returns the stand-in for a value that does not decode."""
        return None if self.form.nullable else self.form.write(None)

    def plain(self, value: Any) -> Any:
        return plain_value(value, microseconds=self.form is WIRE["microtime"])

    def same(self, a: Any, b: Any) -> bool:
        return self.form.same(a, b)

    def identity(self, value: Any) -> Hashable:
        return self.form.identity(value)

    def encoded(self, value: Any) -> Any:
        return self.form.write(value)

    def is_zero(self, value: Any) -> bool:
        return self.form.is_zero(value)

    def is_empty(self, value: Any) -> bool:
        return self.form.is_empty(value)


class _Anything(Wire):
    """Any JSON value. Go makes a float64 of each number in it, and so refuses those that are too large for one."""

    __slots__ = ()

    def recover(self, value: Any) -> Recovered | None:
        huge = huge_number(value)
        return None if huge is None else Recovered(None, FLOAT.wrong(huge))


STRING = _String()
BOOL = _Boolean()
FLOAT = _Float()
INT8, INT16, INT32, INT64 = (Integer(f"int{n}", -(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64))
UINT8, UINT16, UINT32, UINT64 = (Integer(f"uint{n}", 0, 2**n - 1) for n in (8, 16, 32, 64))

TIME, MICROTIME, GOTIME, DURATION, QUANTITY, EXACT_QUANTITY, INT_OR_STRING, BYTES, RAW, OPAQUE = (
    Wire(WIRE[form])
    for form in (
        *("time", "microtime", "gotime", "duration", "quantity", "exactquantity", "intorstring", "bytes", "raw", "any"),
    )
)
ANY = _Anything(WIRE["any"])
