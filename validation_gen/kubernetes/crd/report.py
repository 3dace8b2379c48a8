"""Report of the findings in a definition, in their order: the server's error, the position in the file, and a help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.runtime.errors import FieldError

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
        at: SchemaPath,
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
        path = str(at) + "".join(inner)
        keys = (*at.keys, *(map(_key, inner) if keys is None else keys))
        value_free = error.bad_value is STRUCTURE
        shown = FieldError(error.type, error.bad_value, error.detail, "", path, json_string=error.json_string)
        text = f"{shown.field}: {error.type.label}: {error.detail}" if value_free else str(shown)
        self.findings.append(Finding(code, Severity.ERROR, error.type.value, shown.field, text, keys, help))

    def invalid(self, code: str, path: SchemaPath, value: object, detail: str, help: str = "") -> None:
        self.add(code, path, FieldError.invalid(None, value, detail), help)

    def required(self, code: str, path: SchemaPath, detail: str = "", help: str = "") -> None:
        self.add(code, path, FieldError.required(None, detail), help)

    def forbidden(self, code: str, path: SchemaPath, detail: str, help: str = "") -> None:
        self.add(code, path, FieldError.forbidden(None, detail), help)

    def not_supported(self, code: str, path: SchemaPath, value: object, known: Iterable[str], help: str = "") -> None:
        self.add(code, path, FieldError.not_supported(None, value, known), help)

    def duplicate(self, code: str, path: SchemaPath, value: object, help: str = "") -> None:
        self.add(code, path, FieldError.duplicate(None, value), help)

    def too_many(self, code: str, path: SchemaPath, count: int, limit: int, help: str = "") -> None:
        self.add(code, path, FieldError.too_many(None, count, limit), help)

    def invalid_each(self, code: str, path: SchemaPath, value: str, messages: Sequence[str], help: str = "") -> None:
        """Adds one error for each message about a value."""
        for message in messages:
            self.invalid(code, path, value, message, help)

    def refuse(self, code: str, path: SchemaPath, message: str, help: str = "") -> None:
        """Adds an error that the server does not assign to a field, in its own words."""
        self.errors += 1
        self.findings.append(Finding(code, Severity.ERROR, "", str(path), message, path.keys, help))

    def warn(self, code: str, path: SchemaPath, message: str, help: str = "") -> None:
        """Adds a warning: the API server accepts this, but it is probably a mistake."""
        self.findings.append(Finding(code, Severity.WARNING, "", str(path), message, path.keys, help))


def _key(segment: str) -> str | int:
    """Returns the key in the file for a segment of a path."""
    if not segment.startswith("["):
        return segment.removeprefix(".")
    inner = segment[1:-1]
    return int(inner) if inner.isascii() and inner.isdigit() else inner
