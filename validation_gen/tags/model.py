"""Parsed tags: name, arguments, payload, and the position of each in the source."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from validation_gen.diagnostics import Span


class ValueType(enum.Enum):
    """The type of an argument or payload; the values are the words that messages use. `NONE` means no payload."""

    STRING = "string"
    INT = "int"
    BOOL = "bool"
    TAG = "tag"
    RAW = "raw"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Arg:
    """An argument. `name` is empty for a positional one. `value` is the decoded text (`"5"`, `"true"`, `abc`)."""

    name: str
    value: str
    type: ValueType
    span: Span


@dataclass(frozen=True, slots=True)
class Tag:
    """A parsed tag.

    `name` has no plus sign (`k8s:maxItems`). `value` is the decoded scalar payload or `None`; `payload` is the chained
    tag or `None`. `span` covers the tag from its plus sign to its end, `name_span` the name, `value_span` the scalar.
    """

    name: str
    args: tuple[Arg, ...]
    value: str | None
    value_type: ValueType
    payload: Tag | None
    span: Span
    name_span: Span
    value_span: Span | None = None

    def positional(self) -> Arg | None:
        return next((a for a in self.args if not a.name), None)

    def named(self, name: str) -> Arg | None:
        return next((a for a in self.args if a.name == name), None)

    def __str__(self) -> str:
        """Returns the canonical form: `+name("pos")`, `+name(a: "x", b: 1)`, `="str"`, `=5`, `=+chained`."""
        text = f"+{self.name}"
        if self.args:
            text += f"({', '.join(_argument(a) for a in self.args)})"
        if self.payload is not None:
            return f"{text}={self.payload}"
        if self.value is None:
            return text
        return f"{text}={_quoted(self.value) if self.value_type is ValueType.STRING else self.value}"


def _argument(arg: Arg) -> str:
    value = _quoted(arg.value) if arg.type is ValueType.STRING else arg.value
    return f"{arg.name}: {value}" if arg.name else value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
