"""Cuts JSON values into pieces: one for each object, also for each item of a list. It does not interpret objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validation_gen.uses.compare.inputs.decoding import Form, Piece
from validation_gen.uses.compare.inputs.scanning import MalformedError, Scanner, TooLongError

#: Longer values are not read as a whole if that can be avoided.
LONG = 1 << 20
_QUOTED = 60


def of_stream(scanner: Scanner) -> Iterator[Piece]:
    """Yields the pieces of consecutive values. It stops where no object or list begins."""
    while (begin := scanner.peek()) and begin in "{[":
        scanner.drop()
        place, line = scanner.mark(), scanner.line
        try:
            value = scanner.value(LONG)
        except MalformedError:
            return
        except TooLongError:
            yield from _long(scanner)
        else:
            text = scanner.text[place[0] : scanner.at]
            yield from of_list(text, value, line) if is_list(value) else [_piece(text, line)]


def is_list(value: Any) -> bool:
    """Returns whether a value is a list of objects."""
    if isinstance(value, dict):
        return _text(value.get("kind")).endswith("List") and isinstance(value.get("items"), list)
    return isinstance(value, list)


def item_kind(value: Any) -> tuple[str, str]:
    """Returns `apiVersion` and `kind` of list items that have none."""
    if not isinstance(value, dict):
        return "", ""
    return _text(value.get("apiVersion")), _text(value.get("kind")).removesuffix("List")


def of_list(text: str, value: Any, line: int) -> Iterator[Piece]:
    """Yields the items of a list whose whole text is available."""
    return _items(Scanner(text, line), item_kind(value))


def _long(scanner: Scanner) -> Iterator[Piece]:
    """Yields the pieces of a long value with little buffering.

    If the items have their kind, or the list has it before them, they need not wait for the end of the list.
    """
    place, line = scanner.mark(), scanner.line
    try:
        known = _look_ahead(scanner)
        scanner.back(place)
        if known is not None:
            yield from _items(scanner, known)
            return
        value = scanner.value()
        text = scanner.text[place[0] : scanner.at]
    except MalformedError as error:
        yield _broken(scanner, error)
    else:
        yield from of_list(text, value, line) if is_list(value) else [_piece(text, line)]


def _look_ahead(scanner: Scanner) -> tuple[str, str] | None:
    """Returns `item_kind` of a list's items, `None` if only the whole text shows whether it is a list."""
    if scanner.peek() == "[":
        return "", ""
    head: dict[str, Any] = {}
    for key in scanner.members():
        if key == "items" and scanner.peek() == "[":
            if "kind" in head:
                return item_kind(head) if is_list({**head, "items": []}) else None
            for _ in scanner.elements():
                item = scanner.value()
                says = isinstance(item, dict) and item.get("kind") and item.get("apiVersion")
                return ("", "") if says else None
            return None
        head[key] = scanner.value()
    return None


def _items(scanner: Scanner, own: tuple[str, str]) -> Iterator[Piece]:
    """Yields one piece for each item of the list that begins here."""
    first_line = scanner.line
    try:
        if scanner.peek() == "[":
            yield from _elements(scanner, own, first_line)
            return
        for key in scanner.members():
            if key == "items" and scanner.peek() == "[":
                yield from _elements(scanner, own, first_line)
            else:
                scanner.value()
    except MalformedError as error:
        yield _broken(scanner, error)


def _elements(scanner: Scanner, own: tuple[str, str], first_line: int) -> Iterator[Piece]:
    for _ in scanner.elements():
        scanner.drop()
        start, line = scanner.at, scanner.line
        column = scanner.column if line == first_line else 0
        scanner.value()
        yield _piece(scanner.text[start : scanner.at], line, column, own)


def _piece(text: str, line: int, column: int = 0, own: tuple[str, str] = ("", "")) -> Piece:
    return Piece(Form.JSON, text.encode("utf-8", "surrogateescape"), line, column, own)


def _broken(scanner: Scanner, error: Exception) -> Piece:
    """Returns the error of a malformed long value. The rest cannot be read."""
    quote = scanner.text[scanner.at : scanner.at + _QUOTED].encode("utf-8", "surrogateescape")
    reason = f"not JSON: {error}; nothing behind it is read"
    piece = Piece(Form.UNREADABLE, quote, scanner.line, scanner.column, reason=reason)
    scanner.stop()
    return piece


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
