"""Builds the API server's messages for invalid values, as an expression and as a text.

An expression has the value and its path. Where CEL cannot render these, the text has as much as possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validation_gen.emit.policies.value_ref import ValueRef, render_items, telling
from validation_gen.emit.schema.expressions import join_any, literal, negate
from validation_gen.ir import Scalar, value_shape
from validation_gen.runtime.errors import ErrorType


@dataclass(frozen=True, slots=True)
class Words:
    """Message about an invalid value.

    Attributes:
        type: the type of the error.
        detail: the explanation.
        shown: an expression for the value, `""` if CEL cannot print it.
        fixed: a constant text in place of the value.
        more: an expression for the rest.
        long: the most bytes of a text, and the explanation for a longer one.
        child: the name of a member that the error is about.
        parts: alternatives to all of these: expressions for the texts behind the path, each with a condition; the
            last one has none.
    """

    type: str
    detail: str = ""
    shown: str = ""
    fixed: str = ""
    more: str = ""
    long: tuple[int, str] | None = None
    child: str = ""
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> ErrorType:
        return next(each for each in ErrorType if each.value == self.type)


def render_value(ref: ValueRef) -> str:
    """Returns an expression for a value as errors show it."""
    inner = value_shape(ref.shape)
    if not isinstance(inner, Scalar):
        return ""
    if inner.go == "string":
        return "strings.quote({v})"
    return "" if inner.go.startswith("float") else "string({v})"


def text(ref: ValueRef, words: Words) -> str:
    """Returns the text without values, and with a star for each index."""
    way = f"{path(ref)}.{words.child}" if words.child else path(ref)
    message = _label(words)
    if words.detail:
        message += f": {words.detail}"
    return f"{way.removeprefix('.') or '<nil>'}: {message}"


def path(ref: ValueRef) -> str:
    """Returns the path of a value, with a star for each index."""
    return "".join("*" if part.startswith("{") else part for part in ref.path)


def expression(ref: ValueRef, words: Words) -> str:
    """Returns an expression for the whole message of a value outside of loops; `""` where the text is equal."""
    pieces = _render_pieces(ref, words)
    return " +\n".join(pieces) if len(pieces) > 1 else ""


def listing(ref: ValueRef, words: Words, valid: str) -> str:
    """Returns an expression for the texts of all items that fail a condition.

    For nested lists it has at most one text for each inner list.
    """
    message = " + ".join(_render_pieces(ref, words))
    frame = ref.frame
    while frame.container is not None:
        whole = frame.container
        index = frame.variable.replace("i", "n")
        names = f"{frame.variable}, v{frame.depth}" if frame.is_map else f"{index}, {frame.variable}"
        items = render_items(whole, frame.is_map, whole.frame.base)
        if whole.frame.container is None:
            message = f"{items}.transformList({names},\n  {_failing(valid)},\n  {message})"
            unasked = join_any(*map(negate, telling(whole.gates)), frame.kept)
            return f"{_bracket(unasked)} ? [] :\n{message}" if unasked else message
        message = f"{items}.transformList({names}, {negate(valid)}, {message})[0]"
        valid = ref.looped(frame, valid)
        frame = whole.frame
    return ""


def _failing(valid: str) -> str:
    """Returns the opposite of a condition, a line for each alternative."""
    lines = alternatives(valid)
    if len(lines) == 1:
        return negate(valid)
    whole = " ||\n    ".join(lines)
    return f"!({whole})"


def alternatives(condition: str) -> list[str]:
    """Splits a condition at `||`."""
    found, depth, start, quoted, i = [], 0, 0, False, 0
    while i < len(condition):
        char = condition[i]
        if quoted and char == "\\":
            i += 1
        elif char == "'":
            quoted = not quoted
        elif not quoted:
            depth += (char in "([{") - (char in ")]}")
            if not depth and condition.startswith(" ? ", i):
                return [condition]
            if not depth and condition.startswith(" || ", i):
                found.append(condition[start:i])
                start, i = i + 4, i + 3
        i += 1
    return [*found, condition[start:]]


def _bracket(condition: str) -> str:
    return f"({condition})" if " " in condition else condition


def _render_pieces(ref: ValueRef, words: Words) -> list[str]:
    """Returns the text in pieces, each an expression."""
    pieces = _pieces((*ref.path, f".{words.child}") if words.child else ref.path)
    if words.parts:
        return [*join_texts([*pieces, literal(": ")]), _alternatives(words.parts)]
    label = _label(words)
    tail = f": {words.detail}" if words.detail else ""
    if words.kind.shows_value and words.shown:
        shown = words.shown.replace("{v}", ref.plain)
        tails = [_tail(words, tail, ref.plain)] if tail else []
        return join_texts([*pieces, literal(f": {label}: "), shown, *tails, *([words.more] if words.more else [])])
    return join_texts([*pieces, literal(f": {label}{tail}")])


def _label(words: Words) -> str:
    return f"{words.kind.label}: {words.fixed}" if words.fixed else words.kind.label


def _tail(words: Words, tail: str, value: str) -> str:
    """Returns the explanation of an error; a text that is too long has its own."""
    if words.long is None:
        return literal(tail)
    most, text = words.long
    return f"(bytes({value}).size() > {most} ? {literal(f': {text}')} : {literal(tail)})"


def each(ref: ValueRef, loop: tuple[str, str, str], failing: str, shown: list[str], unasked: str) -> str:
    """Returns an expression for the messages of all invalid parts of a value.

    `loop`: the expression of the parts, and the names of the two loop variables.

    `shown`: the text after the path of the value, in pieces. `unasked`: the condition under which there is no message.
    """
    if ref.frame.container is not None:
        return ""
    items, first, second = loop
    message = " + ".join(join_texts([*_pieces(ref.path), *shown]))
    found = f"{items}.transformList({first}, {second},\n  {failing},\n  {message})"
    unasked = join_any(*map(negate, telling(ref.gates)), unasked)
    return f"{_bracket(unasked)} ? [] :\n{found}" if unasked else found


def _alternatives(parts: tuple[tuple[str, str], ...]) -> str:
    """Returns the first text whose condition holds."""
    found = parts[-1][1]
    for condition, message in reversed(parts[:-1]):
        found = f"{condition} ? {message} : {found}"
    return f"({found})" if len(parts) > 1 else found


def _pieces(path: tuple[str, ...]) -> list[str]:
    """Returns a path as texts and expressions."""
    found = []
    for part in path:
        if part.startswith("{"):
            name = part[1:-1]
            found.append(f"string({name})" if name.startswith("n") else name)
        else:
            found.append(literal(part))
    if found and found[0].startswith("'."):
        found[0] = f"'{found[0][2:]}"
    return found or [literal("<nil>")]


def join_texts(pieces: Iterable[str]) -> list[str]:
    """Joins neighbouring texts among the pieces of a message."""
    found: list[str] = []
    for piece in pieces:
        if found and found[-1].endswith("'") and piece.startswith("'") and found[-1].startswith("'"):
            found[-1] = f"{found[-1][:-1]}{piece[1:]}"
        else:
            found.append(piece)
    return found
