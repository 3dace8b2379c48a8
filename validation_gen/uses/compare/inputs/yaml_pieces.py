"""Cuts YAML into documents by its lines, and long lists into items. It does not parse, as that is slow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.uses.compare.inputs.items import Form, Piece
from validation_gen.uses.compare.inputs.json_pieces import LONG
from validation_gen.uses.corpora import streams
from validation_gen.uses.corpora.streams import Source

_QUOTED = 200
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
    """Returns whether a line holds more than blanks, a comment or the end of a document."""
    rest = line.strip()
    return bool(rest) and not rest.startswith(b"#") and rest != b"..."


def _item_kind(text: bytes, head: re.Match[bytes]) -> tuple[str, str] | None:
    """Returns `apiVersion` and `kind` of items without them, `None` unless a list certainly begins here."""
    said = {key: value.decode() for key, value in _SAYS.findall(head["frame"])}
    kind = said.get(b"kind", "")
    if kind:
        return (said.get(b"apiVersion", ""), kind.removesuffix("List")) if kind.endswith("List") else None
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
