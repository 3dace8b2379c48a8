"""Places in a definition, and the report of findings there.

A `Place` is a path in the API server's terms and in the file. The two differ: the server moves the common parts of all
versions out of `spec.versions` before validation. Checks write into a `Report`, which keeps their order: the server's
error, the position in the file, and a help. `as_decoded` gives values as Go decodes them: maps in the order of their
keys, and the numbers that its decoder makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.cel import NEWEST
from validation_gen.runtime.errors import FieldError


class Place:
    """Path with one step more than its parent. `str` is the server's text; `keys` is the path in the file."""

    __slots__ = ("_keys", "_parent", "_text")

    def __init__(self, text: str, *keys: str | int, parent: Place | None = None) -> None:
        self._text = text
        self._keys = keys
        self._parent = parent

    def child(self, name: str, *keys: str | int) -> Place:
        """Returns the path of a field. `keys` are given where the file has other names than the server."""
        return Place(f".{name}", *(keys or (name,)), parent=self)

    def key(self, name: str) -> Place:
        """Returns the path of an entry of a map, such as of `properties`."""
        return Place(f"[{name}]", name, parent=self)

    def index(self, number: int) -> Place:
        """Returns the path of an item of a list."""
        return Place(f"[{number}]", number, parent=self)

    def _chain(self) -> list[Place]:
        chain: list[Place] = []
        place: Place | None = self
        while place is not None:
            chain.append(place)
            place = place._parent
        return chain[::-1]

    def __str__(self) -> str:
        return "".join(place._text for place in self._chain()).removeprefix(".")

    @property
    def keys(self) -> tuple[str | int, ...]:
        return tuple(key for place in self._chain() for key in place._keys)


#: Marker of values that are whole structures: the server prints pages of them, in the names of its own Go code.
STRUCTURE = object()


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake.

    `message` is the API server's text, `type` and `field` are its parts; warnings have no type. `keys` is the path in
    the file.
    """

    code: str
    severity: Severity
    type: str
    field: str
    message: str
    keys: tuple[str | int, ...]
    help: str = ""


@dataclass(slots=True)
class Report:
    """Findings of one definition, in the order in which they were made.

    `errors` counts the errors of a schema or the parts around it, but not of expressions in it: the server compiles no
    expression of a schema with errors.
    """

    #: Release of the functions in rules, which is that before the server's.
    minor: int = NEWEST
    findings: list[Finding] = field(default_factory=list)
    errors: int = 0

    def add(
        self,
        code: str,
        place: Place,
        error: FieldError,
        help: str = "",
        *,
        keys: Sequence[str | int] | None = None,
        expression: bool = False,
    ) -> None:
        """Adds an error. Its path is that of the place, followed by its own segments.

        `keys` is the path from the place to the error, if the segments do not give it.
        """
        self.errors += not expression
        inner = error.segments[::-1]
        path = str(place) + "".join(inner)
        keys = (*place.keys, *(map(_key, inner) if keys is None else keys))
        value_free = error.bad_value is STRUCTURE
        shown = FieldError(error.type, error.bad_value, error.detail, "", path, json_string=error.json_string)
        text = f"{shown.field}: {error.type.label}: {error.detail}" if value_free else str(shown)
        self.findings.append(Finding(code, Severity.ERROR, error.type.value, shown.field, text, keys, help))

    def invalid(self, code: str, place: Place, value: object, detail: str, help: str = "") -> None:
        self.add(code, place, FieldError.invalid(None, value, detail), help)

    def required(self, code: str, place: Place, detail: str = "", help: str = "") -> None:
        self.add(code, place, FieldError.required(None, detail), help)

    def forbidden(self, code: str, place: Place, detail: str, help: str = "") -> None:
        self.add(code, place, FieldError.forbidden(None, detail), help)

    def not_supported(self, code: str, place: Place, value: object, known: Iterable[str], help: str = "") -> None:
        self.add(code, place, FieldError.not_supported(None, value, known), help)

    def duplicate(self, code: str, place: Place, value: object, help: str = "") -> None:
        self.add(code, place, FieldError.duplicate(None, value), help)

    def too_many(self, code: str, place: Place, count: int, limit: int, help: str = "") -> None:
        self.add(code, place, FieldError.too_many(None, count, limit), help)

    def invalid_each(self, code: str, place: Place, value: str, messages: Sequence[str], help: str = "") -> None:
        """Adds one error for each message about a value."""
        for message in messages:
            self.invalid(code, place, value, message, help)

    def refuse(self, code: str, place: Place, message: str, help: str = "") -> None:
        """Adds an error that the server does not assign to a field, in its own words."""
        self.errors += 1
        self.findings.append(Finding(code, Severity.ERROR, "", str(place), message, place.keys, help))

    def warn(self, code: str, place: Place, message: str, help: str = "") -> None:
        """Adds a warning: the API server accepts this, but it is probably a mistake."""
        self.findings.append(Finding(code, Severity.WARNING, "", str(place), message, place.keys, help))


def _key(segment: str) -> str | int:
    """Returns the key in the file for a segment of a path."""
    if not segment.startswith("["):
        return segment.removeprefix(".")
    inner = segment[1:-1]
    return int(inner) if inner.isascii() and inner.isdigit() else inner


#: Least absolute value of floats that Go writes with an exponent.
_EXPONENTS = 1e21


def as_decoded(value: Any) -> Any:
    """Returns a value as Go decodes it: keys are in order, and integers of more than 64 bits are floats."""
    if isinstance(value, dict):
        return {key: as_decoded(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [as_decoded(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return float(value)
    return value


def as_written(value: Any) -> Any:
    """Returns a copy of a value as Go writes it and reads it again: 1.0 is 1, and floats have the digits they need."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_written(item) for item in value]
    if type(value) is float and value.is_integer() and abs(value) < _EXPONENTS:
        return int(Decimal(repr(value)))
    return value
