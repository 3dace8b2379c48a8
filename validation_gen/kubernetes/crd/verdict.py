"""Result of validating one value: violations, each once, and the number of passed checks.

The server shows the errors of the best of several schemas, which is the one with most passed checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.crd.schema_path import as_decoded
from validation_gen.runtime import texts
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.gotext import go_json, go_quote


@dataclass(frozen=True, slots=True)
class ValuePath:
    """A value within the validated one: its name in messages, and its path."""

    name: str = ""
    keys: tuple[str | int, ...] = ()

    def property(self, name: str) -> ValuePath:
        return ValuePath(f"{self.name}.{name}" if self.name else name, (*self.keys, name))

    def entry(self, name: str) -> ValuePath:
        """Returns the path of an entry of a map. As upstream, its name begins with a dot even at the root."""
        return ValuePath(f"{self.name}.{name}", (*self.keys, name))

    def item(self, index: int) -> ValuePath:
        return ValuePath(f"{self.name}[{index}]", (*self.keys, index))


#: Minor release of servers whose texts are the default.
SERVER = 37
#: First minor release whose servers report a lack of items or properties as `Too few`.
_COUNTS_MISSING = 38


@dataclass(frozen=True, slots=True)
class Violation:
    """One error. `text` is upstream's sentence, which identifies errors; `named`: it has a path.

    `least` is the limit of a list or map with too few items.
    """

    type: ErrorType
    where: ValuePath
    text: str
    value: Any = ""
    detail: str | None = None
    named: bool = True
    least: int | None = None

    def error(self, server: int = SERVER) -> FieldError:
        """Returns the error of an API server of release 1.`server`, with a path relative to the validated value."""
        name = self.where.name.removeprefix(".") if self.named else ""
        type, detail = self.type, self.text if self.detail is None else self.detail
        if self.least is not None and server >= _COUNTS_MISSING:
            type, detail = ErrorType.TOO_FEW, texts.too_few(self.least)
        return FieldError(type, self.value, detail, "", *([f".{name}"] if name else []))


@dataclass(slots=True)
class Result:
    """Violations by their texts, and the number of passed checks."""

    violations: dict[str, Violation] = field(default_factory=dict)
    matches: int = 0

    @property
    def valid(self) -> bool:
        return not self.violations

    def add(self, *violations: Violation) -> None:
        for violation in violations:
            self.violations.setdefault(violation.text, violation)

    def merge(self, other: Result) -> None:
        self.add(*other.violations.values())
        self.matches += other.matches

    def __iter__(self) -> Iterator[Violation]:
        return iter(self.violations.values())


def make_failed(*violations: Violation) -> Result:
    """Returns a result without passed checks."""
    result = Result()
    result.add(*violations)
    return result


# --- violations -------------------------------------------------------------------------------------------------------


def invalid(where: ValuePath, text: str, value: Any = "") -> Violation:
    """Returns an error about a value. Null is shown as an empty text."""
    return Violation(ErrorType.INVALID, where, f"{where.name} in body {text}", "" if value is None else value)


def wrong_type(where: ValuePath, wanted: str, found: str) -> Violation:
    text = f"{where.name} in body must be of type {wanted}: {go_quote(found)}"
    return Violation(ErrorType.TYPE_INVALID, where, text, found)


def make_pathless(text: str) -> Violation:
    """Returns an error that upstream reports without a path."""
    return Violation(ErrorType.INVALID, ValuePath(), text, "", named=False)


def required(where: ValuePath) -> Violation:
    return Violation(ErrorType.REQUIRED, where, f"{where.name} in body is required", "", "")


def not_supported(where: ValuePath, value: Any, allowed: list[Any]) -> Violation:
    items = [item if isinstance(item, str) else go_json(item) for item in allowed]
    text = f"{where.name} in body should be one of {', '.join(map(go_quote, items))}"
    return Violation(ErrorType.NOT_SUPPORTED, where, text, as_decoded(value), texts.supported(items))


def too_long(where: ValuePath, limit: int) -> Violation:
    text = f"{where.name} in body should be at most {limit} chars long"
    return Violation(ErrorType.TOO_LONG, where, text, OMITTED, texts.too_long(limit))


def too_many(where: ValuePath, count: int, limit: int, what: str) -> Violation:
    text = f"{where.name} in body should have at most {limit} {what}"
    return Violation(ErrorType.TOO_MANY, where, text, count, texts.too_many(limit))


def too_few(where: ValuePath, count: int, limit: int, what: str) -> Violation:
    text = f"{where.name} in body should have at least {limit} {what}"
    return Violation(ErrorType.INVALID, where, text, count, least=limit)
