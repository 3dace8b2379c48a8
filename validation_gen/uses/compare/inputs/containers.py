"""Recognises the format of a source (lines of JSON, JSON documents, YAML), and cuts it accordingly.

The contents decide. A name that ends in `.jsonl`, `.ndjson` or `.log` is only a hint for lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import takewhile

from validation_gen.uses.compare.inputs import json_pieces, yaml_pieces
from validation_gen.uses.compare.inputs.items import Form, Piece
from validation_gen.uses.compare.inputs.scanning import Scanner
from validation_gen.uses.corpora.streams import Source
from validation_gen.uses.corpora.unpacking import unpacked
from validation_gen.uses.corpora.urls import file_name

_LOOKED_AT = 5
_QUOTED = 200
#: Boundary between two pretty-printed objects.
_NEXT = re.compile(r"\n\}[ \t\r]*\n(?=\{)")


class NoLinesError(Exception):
    """A source of lines continues with objects on several lines. `line` is the first of these."""

    def __init__(self, line: int) -> None:
        super().__init__(f"objects stand on several lines from line {line} on")
        self.line = line


def has_lines(source: Source) -> bool:
    """Returns whether a source has one value a line, so that it can be cut at line breaks. It consumes nothing.

    Documents between `---` may have one line each; so other sources count as lines only if all lines are values.
    """
    head, _ = _head(source)
    return bool(head) and _has_lines(source, head) and (source.of_lines or all(each[:1] == b"{" for each in head))


def lines_of(source: Source) -> Iterator[Piece]:
    """Yields the lines of a source with `has_lines`, or of a part of it.

    Raises:
        NoLinesError: it continues in another format.
    """
    yield from _lines(source, only=True)
    yield from _problem(source)


def pieces_of(source: Source) -> Iterator[Piece]:
    """Yields all pieces of a source, in order, and at the end its read error, if there is one."""
    if source.of_rows:
        yield from lines_of(source)
        return
    head, first = _head(source)
    if not head:
        yield from _lines(source)  # lines may be too long
    elif _has_lines(source, head):
        yield from _lines(source)
    elif unpacked(file_name(source.name)).endswith(".log") and not head[0].lstrip().startswith((b"{", b"[")):
        yield Piece(Form.UNREADABLE, head[0][:_QUOTED], first, reason="a log of something else: its lines are no JSON")
        return
    else:
        yield from _documents(source)
    yield from _problem(source)


def _problem(source: Source) -> Iterator[Piece]:
    if source.problem:
        reason = f"{source.problem}; what is incomplete there is left out"
        yield Piece(Form.UNREADABLE, b"", source.line, reason=reason)


def _head(source: Source) -> tuple[list[bytes], int]:
    """Returns the first lines that are not blank, stripped, and the number of the first. It consumes nothing."""
    seen: list[bytes] = []
    found: list[bytes] = []
    begin = first = size = 0
    for line in source.lines():
        if not line.isspace():
            found.append(line)
            first = first or source.line
        elif not seen and source.line not in source.overlong:
            continue
        begin = begin or source.line
        seen.append(line)
        size += len(line)
        if len(found) == _LOOKED_AT or size > json_pieces.LONG:
            break
    source.push(b"".join(seen), begin - 1 if seen else source.line)
    return found, first


# --- decisions --------------------------------------------------------------------------------------------------------


def _has_lines(source: Source, head: list[bytes]) -> bool:
    """Returns whether each line is a value: the first one is, or cannot begin one and another line is."""
    first = head[0].lstrip()
    if source.of_lines and first.startswith(b"{"):
        return first.rstrip() != b"{"  # pretty-printed objects occur in files of any name
    if first.startswith((b"[", b"---", b"#", b"%")):
        return False
    if first.startswith(b"{"):
        state = _state(first)
        others = [_state(line) == "whole" for line in head[1:]]
        # A list can begin in the first line and have one item in the second, but then it ends in the third.
        return state == "whole" or (any(others) if state == "wrong" else len(others) > 1 and all(others))
    lines = takewhile(lambda line: not line.startswith(b"---"), head[1:])
    return any(line.startswith(b"{") and _state(line) == "whole" for line in lines)


def _state(line: bytes) -> str:
    """Returns whether a line is a `whole` object, could begin one (`begun`), or is `wrong`."""
    if len(line) > json_pieces.LONG and line.startswith(b"{"):
        return "whole"  # parsing it would take long
    text = line.decode(errors="replace").strip()
    if not text.startswith("{"):
        return "wrong"
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return "begun" if error.pos >= len(text) - 1 else "wrong"
    except (ValueError, RecursionError):
        return "whole"  # the parser reports its errors
    return "whole"


# --- lines ------------------------------------------------------------------------------------------------------------


def _lines(source: Source, *, only: bool = False) -> Iterator[Piece]:
    """Yields one piece a line, until documents begin; with `only`, these raise an error."""
    starts = (b"{",) if source.of_lines else (b"{", b"[")
    for line in source.lines():
        if source.overlong and (quote := source.overlong.pop(source.line, None)) is not None:
            reason = f"{source.too_long('the line')}; it is passed over"
            yield Piece(Form.UNREADABLE, quote, source.line, reason=reason)
            continue
        if line.isspace() or (source.problem and not line.endswith(b"\n")):
            continue
        if not source.of_rows and (
            (len(line) < 5 and line.strip() in starts) or (line.startswith(b"---") and not source.of_lines)
        ):
            if only:
                raise NoLinesError(source.line)
            source.push(line, source.line - 1)
            yield from _documents(source)
            return
        if len(line) > json_pieces.LONG:
            yield from _long_line(line, source.line)
        else:
            yield Piece(Form.JSON, line, source.line)


def _long_line(line: bytes, number: int) -> Iterator[Piece]:
    """Yields the pieces of a long line, which is usually a list with separate items."""
    scanner = Scanner(line.decode("utf-8", "surrogateescape"), number)
    yield from json_pieces.of_stream(scanner)
    if scanner.peek():
        rest = scanner.text[scanner.at :].encode("utf-8", "surrogateescape")
        yield Piece(Form.JSON, rest, number, scanner.column)


def _documents(source: Source) -> Iterator[Piece]:
    """Yields JSON documents; the rest is read as YAML, whose parser reports its errors."""
    scanner = Scanner("", source.line + 1, source.chunk)
    while True:
        yield from json_pieces.of_stream(scanner)
        end = _NEXT.search(scanner.text, scanner.at) if scanner.peek() == "{" else None
        if end is None:
            break
        text, line = scanner.text[scanner.at : end.end()], scanner.line
        scanner.at = end.end()
        yield Piece(Form.YAML, text.encode("utf-8", "surrogateescape"), line)
    rest = scanner.text[scanner.at :].encode("utf-8", "surrogateescape")
    if rest:
        source.push(rest, scanner.line - 1)
        yield from yaml_pieces.of_lines(source)
