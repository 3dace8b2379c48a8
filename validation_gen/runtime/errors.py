"""Field errors: the results of validators, printed exactly as the Kubernetes API server prints them.

Source of the behaviour: `k8s.io/apimachinery/pkg/util/validation/field`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import replace

from validation_gen.runtime import texts
from validation_gen.runtime.gotext import render_bad_value
from validation_gen.runtime.paths import Path
from validation_gen.runtime.rule import NO_RULE


class ErrorType(str, enum.Enum):
    """The machine-readable kind of an error.

    Attributes:
        label: the phrase in its text.
        shows_value: whether the offending value follows.
    """

    label: str
    shows_value: bool

    def __new__(cls, value: str, label: str) -> ErrorType:
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        member.shows_value = label not in ("Required value", "Forbidden", "Too long", "Too short", "Internal error")
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


class _Omitted(str):
    """Type of `OMITTED`. Copies and pickles are the object itself, as texts show all other values."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "OMITTED"


_TOO_MANY = ErrorType.TOO_MANY
#: The bad value of errors that do not show it: `Too long`, `Too many` without a count, and rules about whole objects
#: and lists.
OMITTED = _Omitted("<value omitted>")


class Inlined(str):
    """A path element of an inlined struct. Only at the very start of a path does it become visible."""

    __slots__ = ()


class Mark:
    """Facts about an error beside its text: the elements of `FieldError.marks`."""

    COVERED = "covered"  #: a tag declares the same, so that the error may be compared and superseded
    SHORT_CIRCUITED = "short-circuited"  #: declarative validation stops before it would report the same
    ANY_TYPE = "any type"  #: the reporter of the error has no types of errors
    ANY_ORIGIN = "any origin"  #: the reporter does not name the violated rule
    ANY_FIELD = "any field"  #: the reporter does not name the path
    SCHEMA = (
        "schema"  #: the error is from the schema of the kind, and from no tag: the side compared with tags may omit it
    )
    PANIC = "panic"  #: a function that generated validators call has failed


class FieldError:
    """One error of an object.

    Handwritten checks make errors by `FieldError.invalid(path, value, detail)` and its siblings, which are named and
    worded as in Kubernetes; a path is a `Path` or a text such as `spec.ports[0]`, `None` is the object itself.

    Attributes:
        type: the kind of the error.
        bad_value: the offending value as decoded JSON.
        detail: the explanation, may be empty.
        origin: the name of the rule for matching (`maxItems`, `format=k8s-uuid`), empty for presence errors.
        rule: the declaration that was violated; one without a tag if no tag causes the error.
        marks: further properties, of the names in `Mark`.
        segments: the path from the innermost element outwards, as validators collect it on their way up.
    """

    __slots__ = ("bad_value", "detail", "json_string", "marks", "origin", "rule", "segments", "type")

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
        self.rule = NO_RULE
        self.marks: frozenset[str] = frozenset()
        self.segments: list[str] = list(segments)
        #: True if a string is printed as JSON (Go's named string types), False if quoted as Go does (plain strings).
        self.json_string = json_string

    # --- constructors for handwritten checks
    # ---------------------------------------------------------------------------

    @classmethod
    def at(cls, path: Path | str | None, type: ErrorType, bad_value: object, detail: str = "") -> FieldError:
        """Returns an error of any type at a path."""
        if isinstance(path, str):
            segments: Iterable[str] = (path if path.startswith("[") else f".{path}",) if path else ()
        else:
            segments = path.segments if path is not None else ()
        return cls(type, bad_value, detail, "", *segments)

    @classmethod
    def invalid(cls, path: Path | str | None, value: object, detail: str) -> FieldError:
        """Returns an error about a malformed value, or one out of bounds. To be compared it needs an origin, too."""
        return cls.at(path, ErrorType.INVALID, value, detail)

    @classmethod
    def type_invalid(cls, path: Path | str | None, value: object, detail: str) -> FieldError:
        """Returns an error about a value of the wrong type."""
        return cls.at(path, ErrorType.TYPE_INVALID, value, detail)

    @classmethod
    def required(cls, path: Path | str | None, detail: str = "") -> FieldError:
        """Returns an error about a missing value."""
        return cls.at(path, ErrorType.REQUIRED, "", detail)

    @classmethod
    def forbidden(cls, path: Path | str | None, detail: str = "") -> FieldError:
        """Returns an error about a value that would be accepted under other conditions."""
        return cls.at(path, ErrorType.FORBIDDEN, "", detail)

    @classmethod
    def not_found(cls, path: Path | str | None, value: object) -> FieldError:
        """Returns an error about a reference to something that does not exist."""
        return cls.at(path, ErrorType.NOT_FOUND, value)

    @classmethod
    def duplicate(cls, path: Path | str | None, value: object) -> FieldError:
        """Returns an error about a repeated value."""
        return cls.at(path, ErrorType.DUPLICATE, value)

    @classmethod
    def not_supported(cls, path: Path | str | None, value: object, supported: Iterable[object] = ()) -> FieldError:
        """Returns an error about an unsupported value."""
        return cls.at(path, ErrorType.NOT_SUPPORTED, value, texts.supported(map(str, supported)))

    @classmethod
    def too_long(cls, path: Path | str | None, limit: int = -1, unit: str = "byte") -> FieldError:
        """Returns an error about a text of more than `limit` bytes, or characters if that is the `unit`.

        A negative limit is not shown.
        """
        return cls.at(path, ErrorType.TOO_LONG, OMITTED, texts.too_long(limit, unit))

    @classmethod
    def too_short(cls, path: Path | str | None, value: object, limit: int = -1) -> FieldError:
        """Returns an error about a text of less than `limit` characters. A negative limit is not shown."""
        return cls.at(path, ErrorType.TOO_SHORT, value, texts.too_short(limit))

    @classmethod
    def too_many(cls, path: Path | str | None, count: int, limit: int = -1) -> FieldError:
        """Returns an error about `count` items where `limit` are allowed. Negative numbers are not shown."""
        return cls.at(path, ErrorType.TOO_MANY, count if count >= 0 else OMITTED, texts.too_many(limit))

    @classmethod
    def too_few(cls, path: Path | str | None, count: int, limit: int = -1) -> FieldError:
        """Returns an error about `count` items where `limit` are required. A negative limit is not shown."""
        return cls.at(path, ErrorType.TOO_FEW, count, texts.too_few(limit))

    @classmethod
    def internal(cls, path: Path | str | None, error: object) -> FieldError:
        """Returns an error about a failure that the object did not cause."""
        return cls.at(path, ErrorType.INTERNAL, {}, str(error))

    def with_origin(self, origin: str) -> FieldError:
        """Sets the rule in the words of the tags: `maximum`, `format=k8s-uuid`, `immutable` … Returns the error."""
        self.origin = origin
        return self

    def covered_by_declarative(self) -> FieldError:
        """Marks an error that a tag declares as well. Returns the error."""
        return self.marked(Mark.COVERED)

    def short_circuited_in_declarative(self) -> FieldError:
        """Marks an error that declarative validation stops before. Returns the error."""
        return self.marked(Mark.SHORT_CIRCUITED)

    def alpha(self) -> FieldError:
        """Marks an error whose tag is alpha. Returns the error."""
        self.level = "alpha"
        return self

    def beta(self) -> FieldError:
        """Marks an error whose tag is beta. Returns the error."""
        self.level = "beta"
        return self

    def marked(self, *marks: str) -> FieldError:
        """Adds marks. Returns the error."""
        self.marks = self.marks.union(marks)
        return self

    # --- attributes of an error
    # -----------------------------------------------------------------------------------------

    @property
    def tag(self) -> str:
        """Returns the violated tag in canonical form, `""` for errors that no tag causes."""
        return self.rule.tag

    @tag.setter
    def tag(self, value: str) -> None:
        self.rule = replace(self.rule, tag=value)

    @property
    def source(self) -> str:
        """Returns the type and field of the tag: `RobotSpec.model`, or `RobotSpec` for a tag of the type.

        `rule.place` has the package before it. `validation-gen explain PATH RobotSpec.model` prints the file and line.
        """
        return self.rule.source

    @source.setter
    def source(self, value: str) -> None:
        self.rule = replace(self.rule, source=value)

    @property
    def level(self) -> str:
        """Returns `"alpha"`, `"beta"` or `""` (stable)."""
        return self.rule.level

    @level.setter
    def level(self, value: str) -> None:
        self.rule = replace(self.rule, level=value)

    @property
    def short_circuit(self) -> bool:
        """Returns whether the error stopped further checks of its value."""
        return self.rule.short_circuit

    @short_circuit.setter
    def short_circuit(self, value: bool) -> None:
        self.rule = replace(self.rule, short_circuit=value)

    @property
    def field(self) -> str:
        """Returns the path of the field in upstream's notation, `<nil>` for the object itself."""
        return _field(self.segments)

    @property
    def place(self) -> str:
        """Returns the path of the value in the object's JSON, which omits inlined structs."""
        outwards = self.segments
        for segment in outwards:
            if type(segment) is Inlined:
                outwards = [each for each in outwards if type(each) is not Inlined]
                break
        return "".join(outwards[::-1]).removeprefix(".") or "<nil>"

    @property
    def body(self) -> str:
        """Returns the text without the path of the field, as in the causes of a `Status`: upstream's `ErrorBody`."""
        return _worded(self, "")

    def __str__(self) -> str:
        return _worded(self, f"{_field(self.segments)}: ")

    def __repr__(self) -> str:
        return f"FieldError({str(self)!r})"

    def as_dict(self) -> dict[str, object]:
        """Returns the error as JSON-ready data, in the terms of the line protocol."""
        return {
            "type": self.type.value,
            "field": self.field,
            "badValue": str(OMITTED) if self.bad_value is OMITTED else self.bad_value,
            "detail": self.detail,
            "origin": self.origin,
            "level": self.level,
            "shortCircuit": self.short_circuit,
            "message": str(self),
            "tag": self.tag,
            "source": self.source,
        }


def _field(outwards: list[str]) -> str:
    for segment in outwards:
        if segment.__class__ is Inlined:
            return _field_of_inlined(outwards)
    path = "".join(outwards[::-1])
    return (path[1:] if path[:1] == "." else path) or "<nil>"


def _worded(error: FieldError, before: str) -> str:
    type, value, detail = error.type, error.bad_value, error.detail
    if type.shows_value and value is not OMITTED and not (type is _TOO_MANY and value == OMITTED):
        shown = render_bad_value(value, error.json_string is True)
        return f"{before}{type.label}: {shown}: {detail}" if detail else f"{before}{type.label}: {shown}"
    return f"{before}{type.label}: {detail}" if detail else f"{before}{type.label}"


def _field_of_inlined(outwards: list[str]) -> str:
    """Renders a path through inlined structs: only one at the very start shows."""
    path = "".join(s for s in reversed(outwards) if s.__class__ is not Inlined)
    if outwards[-1].__class__ is Inlined:
        path = f".{outwards[-1]}{path}"
    return path.removeprefix(".") or "<nil>"
