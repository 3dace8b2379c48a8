"""Comment lines from the readers of sources, and parsed tags: name, arguments, payload, with the position of each."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

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

    def argument(self, name: str = "") -> str:
        """Returns the value of a named argument, or of the positional one; `""` if there is none."""
        found = self.named(name)
        return found.value if found is not None else ""

    def __str__(self) -> str:
        """Returns the canonical form: `+name("pos")`, `+name(a: "x", b: 1)`, `="str"`, `=5`, `=+chained`."""
        text = f"+{self.name}"
        if self.args:
            text += f"({', '.join(_argument(a) for a in self.args)})"
        if self.payload is not None:
            return f"{text}={self.payload}"
        if self.value is None:
            return text
        return f"{text}={quote(self.value) if self.value_type is ValueType.STRING else self.value}"


def _argument(arg: Arg) -> str:
    value = quote(arg.value) if arg.type is ValueType.STRING else arg.value
    return f"{arg.name}: {value}" if arg.name else value


def quote(text: str) -> str:
    """Returns a string value in the syntax of a tag."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


#: Prefix of a comment that addresses this program by name.
PRAGMA = "validation-gen:"
#: Prefix of a tag.
TAG = "+k8s:"


@dataclass(frozen=True, slots=True)
class CommentLine:
    """One line of a comment without its marker (`//`), blanks kept.

    `span` covers exactly `text`; or the whole source of `text`, if it is not `literal`. `behind`: the line is after
    code of another declaration than the one that gets the comment, which Kubernetes' generators do not notice. `block`:
    the line is between `/*` and `*/`, where controller-gen finds no markers. `borrowed`: the line has a tag of a
    Kubernetes package without generated code, which only affects definitions, as in controller-gen.
    """

    text: str
    span: Span
    literal: bool = True
    behind: bool = field(default=False, compare=False)
    block: bool = field(default=False, compare=False)
    borrowed: bool = field(default=False, compare=False)

    @property
    def is_pragma(self) -> bool:
        return self.text.lstrip().startswith(PRAGMA)
