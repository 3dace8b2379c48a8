"""Recognises the format of a source (lines of JSON, JSON documents, YAML), and cuts it accordingly.

The contents decide. A name that ends in `.jsonl`, `.ndjson` or `.log` is only a hint for lines. YAML is cut into
documents by its lines, and long lists into items, without parsing, which is slow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import takewhile

from validation_gen.commands.compare.inputs import json_pieces
from validation_gen.commands.compare.inputs.decoding import Form, Piece
from validation_gen.commands.compare.inputs.json_pieces import LONG, Scanner
from validation_gen.commands.distributed import streams
from validation_gen.commands.distributed.opening import file_name
from validation_gen.commands.distributed.streams import Source, strip_suffix

_SEPARATOR = re.compile(rb"---(?=\s|\Z)")
#: The lines before the items of a list: comments and scalars without indentation, and the contents of `metadata`.
_HEAD = re.compile(
    rb"(?:---[ \t]*(?:#[^\n]*)?\r?\n)?"
    rb"(?P<frame>(?:[ \t]*(?:#[^\n]*)?\r?\n|[A-Za-z]\w*:(?:[ \t][^\n&*|>]*)?\r?\n|[ ]+\w[^\n&*|>]*\r?\n)*?)"
    rb"items:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?P<dash>[ ]*- )"
)
_SAYS = re.compile(rb"""^(apiVersion|kind):[ \t]+["']?([\w./-]+)["']?[ \t]*(?:#.*)?\r?$""", re.MULTILINE)


def of_lines(source: Source) -> Iterator[Piece]:
    """Yields the documents of the rest of a source."""
    lines: list[bytes] = []
    begin, size, looked = source.line + 1, 0, False
    filled = directive = False
    broken: Piece | None = None  # reported instead of a document that is too large
    for line in source.lines():
        if line.startswith(b"---") and _SEPARATOR.match(line):
            if not directive:  # one belongs to the document that follows it
                if broken or filled:
                    yield broken or Piece(Form.YAML, b"".join(lines), begin)
                lines, begin, size, looked, broken = [], source.line, 0, False, None
            filled, directive = _content(line[3:]) or (directive and filled), False
        elif line.startswith(b"%"):
            directive = True
        else:
            filled = filled or _content(line)
        size += len(line)
        broken = broken or _overlong(source)
        if broken:
            lines = []
            if size > streams.MOST_PASSED * streams.LONGEST:
                source.give_up("a document")
                return
            continue
        lines.append(line)
        if size > streams.LONGEST:
            reason = f"{source.too_long('the document')}; it is passed over"
            broken = Piece(Form.UNREADABLE, b"".join(lines[:_QUOTED])[:_QUOTED], begin, reason=reason)
        elif size > LONG and not looked:
            looked = True
            text = b"".join(lines)
            head = None if directive else _HEAD.match(text)
            if head and (own := _item_kind(text, head)):
                yield from _long_list(source, text, begin, head, own)
                lines, begin, size, looked, filled = [], source.line + 1, 0, False, False
    if broken:
        yield broken
    elif filled and not source.problem:  # a truncated document can look complete
        yield Piece(Form.YAML, b"".join(lines), begin)


def _overlong(source: Source, what: str = "document") -> Piece | None:
    """Returns the error for the last line if it was too long: the value that contains it is incomplete."""
    quote = source.overlong.pop(source.line, None) if source.overlong else None
    if quote is None:
        return None
    reason = f"{source.too_long('the line')}; its {what} is passed over"
    return Piece(Form.UNREADABLE, quote, source.line, reason=reason)


def _content(line: bytes) -> bool:
    """Returns whether a line has content: not only blanks, a comment, or the end of a document."""
    rest = line.strip()
    return bool(rest) and not rest.startswith(b"#") and rest != b"..."


def _item_kind(text: bytes, head: re.Match[bytes]) -> tuple[str, str] | None:
    """Returns `apiVersion` and `kind` of items without them, `None` unless a list certainly begins here."""
    values = {key: value.decode() for key, value in _SAYS.findall(head["frame"])}
    kind = values.get(b"kind", "")
    if kind:
        return (values.get(b"apiVersion", ""), kind.removesuffix("List")) if kind.endswith("List") else None
    at = head.start("dash")
    indent = rb"^(?:%b|%b)" % (re.escape(head["dash"]), b" " * len(head["dash"]))
    says = all(re.compile(indent + key + b": ", re.MULTILINE).search(text, at) for key in (b"apiVersion", b"kind"))
    return ("", "") if says else None


def _long_list(source: Source, text: bytes, begin: int, head: re.Match[bytes], own: tuple[str, str]) -> Iterator[Piece]:
    """Yields the items of a list that begins in `text`, and the text around them.

    An item begins with a dash in the column of the first one. That holds for all output of programs; by hand, a quoted
    text could have such a line. Its item is then malformed, which is reported.
    """
    dash = head["dash"]
    bare = dash.rstrip()
    start = head.start("dash")
    source.push(text[start:], begin + text.count(b"\n", 0, start) - 1)
    frame = [text[:start], dash + b"{}\n"]
    item: list[bytes] = []
    item_line = size = 0
    broken: Piece | None = None
    for line in source.lines():
        if line.startswith(dash) or line.rstrip() == bare:
            if item:
                yield broken or Piece(Form.YAML_ITEM, b"".join(item), item_line, own=own)
            item, item_line, size, broken = [line], source.line, 0, None
        elif line[:1] in b" \t\r\n#":
            item.append(line)
        else:
            source.push(line, source.line - 1)
            break
        size += len(line)
        broken = broken or _overlong(source, "item")
        if size > streams.LONGEST:
            source.give_up("an item")
            return
    else:
        if source.problem:
            return
    if item:
        yield broken or Piece(Form.YAML_ITEM, b"".join(item), item_line, own=own)
    size = 0
    for line in source.lines():
        if line.startswith(b"---") and _SEPARATOR.match(line):
            source.push(line, source.line - 1)
            break
        frame.append(line)
        size += len(line)
        if size > streams.LONGEST:
            source.give_up("a list, beside its items,")
            return
    yield Piece(Form.YAML_FRAME, b"".join(frame), begin)


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


def read_lines(source: Source) -> Iterator[Piece]:
    """Yields the lines of a source with `has_lines`, or of a part of it.

    Raises:
        NoLinesError: it continues in another format.
    """
    yield from _lines(source, only=True)
    yield from _problem(source)


def read_pieces(source: Source) -> Iterator[Piece]:
    """Yields all pieces of a source, in order, and at the end its read error, if there is one."""
    if source.of_rows:
        yield from read_lines(source)
        return
    head, first = _head(source)
    if not head:
        yield from _lines(source)  # lines may be too long
    elif _has_lines(source, head):
        yield from _lines(source)
    elif strip_suffix(file_name(source.name)).endswith(".log") and not head[0].lstrip().startswith((b"{", b"[")):
        yield Piece(Form.UNREADABLE, head[0][:_QUOTED], first, reason="a log of something else: its lines are not JSON")
        return
    else:
        yield from _documents(source)
    yield from _problem(source)


def _problem(source: Source) -> Iterator[Piece]:
    if source.problem:
        reason = f"{source.problem}; incomplete parts are left out"
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
    """Returns whether each line is a JSON value. The first line may be malformed if a later line is a value."""
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
        yield from of_lines(source)
