"""What the API server would say of a value that fails, as an expression and as a text.

An expression has the value and its place. Where CEL cannot say these, the text says what it can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.emit.policies.places import Place
from validation_gen.emit.schema.expressions import literal, negated
from validation_gen.ir import Scalar, value_shape
from validation_gen.runtime.errors import ErrorType


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of a value that fails.

    Attributes:
        type: the type of the error.
        detail: the explanation.
        shown: an expression for the value, `""` if CEL cannot print it.
        child: the name of a member at which the error stands.
        parts: in the place of all that, expressions for the texts behind the path, each with a condition; the last one
            has none.
    """

    type: str
    detail: str = ""
    shown: str = ""
    child: str = ""
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> ErrorType:
        return ErrorType(self.type)


def shown(place: Place) -> str:
    """An expression for a value as errors show it."""
    inner = value_shape(place.shape)
    if not isinstance(inner, Scalar):
        return ""
    if inner.go == "string":
        return "strings.quote({v})"
    return "" if inner.go.startswith("float") else "string({v})"


def text(place: Place, words: Words) -> str:
    """The text without values, and with a star for each index."""
    path = "".join("*" if part.startswith("{") else part for part in place.path)
    path = f"{path}.{words.child}" if words.child else path
    said = words.kind.label
    if words.detail:
        said += f": {words.detail}"
    return f"{path.removeprefix('.') or '<nil>'}: {said}"


def expression(place: Place, words: Words, failing: str, value: str) -> str:
    """An expression for the whole text; `""` where the text says the same."""
    pieces = _pieces(place.path)
    label = words.kind.label
    if words.child:
        pieces = [*pieces, literal(f".{words.child}")]
    if not pieces:
        pieces = [literal("<nil>")]
    pieces = [*_joined([*pieces])]
    if pieces and pieces[0].startswith("'."):
        pieces[0] = f"'{pieces[0][2:]}"
    if words.parts:
        said = _alternatives(words.parts)
        whole = " + ".join(_joined([*pieces, literal(": ")])) + f" + {said}"
        return _within(place, whole, failing)
    tail = f": {words.detail}" if words.detail else ""
    if words.kind.shows_value and words.shown:
        shown = words.shown.replace("{v}", value)
        pieces = [*pieces, literal(f": {label}: "), shown, *([literal(tail)] if tail else [])]
    elif place.frame.container is None:
        return ""
    else:
        pieces = [*pieces, literal(f": {label}{tail}")]
    return _within(place, " + ".join(_joined(pieces)), failing)


def _alternatives(parts: tuple[tuple[str, str], ...]) -> str:
    """The first text of which the condition holds."""
    found = parts[-1][1]
    for condition, said in reversed(parts[:-1]):
        found = f"{condition} ? {said} : {found}"
    return f"({found})" if len(parts) > 1 else found


def _within(place: Place, said: str, failing: str) -> str:
    """The text of the first item that fails."""
    frame = place.frame
    while frame.container is not None:
        whole = frame.container
        names = (
            f"{frame.variable}, v{frame.depth}"
            if frame.is_map
            else f"{frame.variable.replace('i', 'n')}, {frame.variable}"
        )
        said = f"{whole.plain}.transformList({names}, {negated(failing)}, {said})[0]"
        failing = place.looped(frame, failing)
        frame = whole.frame
    return said


def _pieces(path: tuple[str, ...]) -> list[str]:
    """A path as texts and expressions."""
    found = []
    for part in path:
        if part.startswith("{"):
            name = part[1:-1]
            found.append(f"string({name})" if name.startswith("n") else name)
        else:
            found.append(literal(part))
    return found


def _joined(pieces: list[str]) -> list[str]:
    """Neighbouring texts as one."""
    found: list[str] = []
    for piece in pieces:
        if found and found[-1].endswith("'") and piece.startswith("'") and found[-1].startswith("'"):
            found[-1] = f"{found[-1][:-1]}{piece[1:]}"
        else:
            found.append(piece)
    return found


#: Says what fails of a value, by the text that reaches it.
Told = Callable[[str], Words]
