"""Field errors: the verdict of a validator, printed exactly as the Kubernetes API server prints it.

Source of the behaviour: `k8s.io/apimachinery/pkg/util/validation/field`.
"""

from __future__ import annotations

import enum

from validation_gen.runtime.gotext import render_bad_value


class ErrorType(str, enum.Enum):
    """The machine-readable kind of an error; `label` is the phrase in its text."""

    label: str

    def __new__(cls, value: str, label: str) -> ErrorType:
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member

    NOT_FOUND = ("FieldValueNotFound", "Not found")
    REQUIRED = ("FieldValueRequired", "Required value")
    DUPLICATE = ("FieldValueDuplicate", "Duplicate value")
    INVALID = ("FieldValueInvalid", "Invalid value")
    NOT_SUPPORTED = ("FieldValueNotSupported", "Unsupported value")
    FORBIDDEN = ("FieldValueForbidden", "Forbidden")
    TOO_LONG = ("FieldValueTooLong", "Too long")
    TOO_MANY = ("FieldValueTooMany", "Too many")
    TOO_FEW = ("FieldValueTooFew", "Too few")
    TOO_SHORT = ("FieldValueTooShort", "Too short")
    INTERNAL = ("InternalError", "Internal error")
    TYPE_INVALID = ("FieldValueTypeInvalid", "Invalid value")


_WITHOUT_VALUE = frozenset(
    {ErrorType.REQUIRED, ErrorType.FORBIDDEN, ErrorType.TOO_LONG, ErrorType.TOO_SHORT, ErrorType.INTERNAL}
)

#: The bad value of a `Too long` error: the API server does not repeat what was too long.
OMITTED = "<value omitted>"


class Inlined(str):
    """A path element of an inlined struct. Only at the very start of a path does it become visible."""

    __slots__ = ()


class FieldError:
    """One error of an object.

    Attributes:
        type: the kind of the error.
        bad_value: the offending value as decoded JSON.
        detail: the explanation, may be empty.
        origin: the name of the rule for matching (`maxItems`, `format=k8s-uuid`), empty for presence errors.
        level: `"alpha"`, `"beta"` or `""` (stable).
        short_circuit: whether the error stopped further checks of its value.
        tag: the tag that was violated in canonical form, `""` for errors that no tag causes.
        source: where that tag stands, as `file:line:column`.
        segments: the path from the innermost element outwards, as validators collect it on their way up.
    """

    __slots__ = (
        "bad_value",
        "detail",
        "json_string",
        "level",
        "origin",
        "segments",
        "short_circuit",
        "source",
        "tag",
        "type",
    )

    def __init__(
        self,
        type: ErrorType,
        bad_value: object = "",
        detail: str = "",
        origin: str = "",
        *segments: str,
        json_string: bool | None = None,
    ) -> None:
        self.type = type
        self.bad_value = bad_value
        self.detail = detail
        self.origin = origin
        self.level = ""
        self.short_circuit = False
        self.tag = ""
        self.source = ""
        self.segments: list[str] = list(segments)
        #: Whether a string is printed as JSON (Go's named string types) or quoted as Go does (plain strings).
        self.json_string = json_string

    @property
    def field(self) -> str:
        """The path of the field in upstream's notation, `<nil>` for the object itself."""
        outwards = self.segments
        path = "".join(s for s in reversed(outwards) if s.__class__ is not Inlined)
        if outwards and outwards[-1].__class__ is Inlined:
            path = f".{outwards[-1]}{path}"
        return path.removeprefix(".") or "<nil>"

    @property
    def place(self) -> str:
        """The path of the value in the object's JSON, where inlined structs do not show."""
        path = "".join(s for s in reversed(self.segments) if s.__class__ is not Inlined)
        return path.removeprefix(".") or "<nil>"

    def __str__(self) -> str:
        text = f"{self.field}: {self.type.label}"
        if self.type not in _WITHOUT_VALUE:
            text += f": {render_bad_value(self.bad_value, json_string=bool(self.json_string))}"
        return f"{text}: {self.detail}" if self.detail else text

    def __repr__(self) -> str:
        return f"FieldError({str(self)!r})"

    def as_dict(self) -> dict[str, object]:
        """The error as JSON-ready data, in the terms of the line protocol."""
        return {
            "type": self.type.value,
            "field": self.field,
            "badValue": self.bad_value,
            "detail": self.detail,
            "origin": self.origin,
            "level": self.level,
            "shortCircuit": self.short_circuit,
            "message": str(self),
            "tag": self.tag,
            "source": self.source,
        }
