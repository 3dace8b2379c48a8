"""The declaration behind a check: which tag it is from, and how its errors are marked."""

from __future__ import annotations

from collections.abc import Iterable

from validation_gen.runtime.errors import FieldError


class Rule:
    """A tag of the source as generated code refers to it.

    Attributes:
        tag: the tag in canonical form.
        source: its position as `file:line:column`.
        level: `"alpha"`, `"beta"` or `""`.
        short_circuit: whether its errors stop further checks.
        json_string: whether the checked value is of a named string type, which prints as JSON.
    """

    __slots__ = ("json_string", "level", "short_circuit", "source", "tag")

    def __init__(
        self, tag: str, source: str, *, level: str = "", short_circuit: bool = False, json_string: bool = False
    ) -> None:
        self.tag = tag
        self.source = source
        self.level = level
        self.short_circuit = short_circuit
        self.json_string = json_string

    def report(self, errors: list[FieldError], path: str) -> list[FieldError]:
        """Marks new errors as this rule's, at `path` below the value of the current function."""
        for error in errors:
            if path:
                error.segments.append(path)
            error.tag = self.tag
            error.source = self.source
            error.level = self.level
            error.short_circuit = self.short_circuit
            if error.json_string is None:
                error.json_string = self.json_string
        return errors


def under(path: str, errors: Iterable[FieldError]) -> Iterable[FieldError]:
    """Moves the errors of a part under its path in the whole."""
    for error in errors:
        error.segments.append(path)
    return errors
