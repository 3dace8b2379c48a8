"""Parses comment lines to tags, by the tag grammar of gengo codetags (`grammar.lark`).

Syntax, meaning and error texts follow codetags, including its positions. In addition every part of a tag has its
columns, and errors come with a help.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from validation_gen.diagnostics import Span
from validation_gen.tags.model import Arg, CommentLine, Tag, ValueType, quote
from validation_gen.tags.suggestions import NAMED_ARGUMENTS, NUMBERS, remedy

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedToken

_BEGINNING = re.compile(r"[ \t]*\+([^\W\d][\w.:-]*)")
_ESCAPE = re.compile(r"\\(.)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')
_LINK = re.compile(r"=[ \t]*\+")
#: No rule of Kubernetes makes sense in a chain of more than some five tags.
LONGEST_CHAIN = 32
_GO_ESCAPES = dict(zip("\a\b\f\n\r\t\v'\\", "abfnrtv'\\", strict=True))
_GO_OCTAL = re.compile(r"^([+-]?)0(?=\d)")


@dataclass(frozen=True, slots=True)
class RawTag:
    """A comment line that begins with a plus sign and a name.

    `text` is the line from after the plus sign without trailing white space; `span` begins at the plus sign. The parts
    of a text that is not `literal` have no position of their own.
    """

    name: str
    text: str
    span: Span
    literal: bool = True

    def part(self, start: int, end: int) -> Span:
        """Returns the span of a part. Offsets count from the plus sign."""
        return self.span.sub(start, end) if self.literal else self.span


class TagSyntaxError(Exception):
    """A tag breaks the grammar. `message` has the words of codetags, `help` is the next step and may be empty.

    Where the text ends too early `span` is empty, right after the last character. `mended` is the text of the tag
    without this mistake, if the correction is certain; there may be further ones.
    """

    def __init__(self, message: str, span: Span, help: str = "", mended: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.help = help
        self.mended = mended


def extract(lines: Sequence[CommentLine]) -> list[RawTag]:
    """Returns the tags of a comment in source order.

    Only blanks and tabs may precede the plus sign: a tag within prose is ignored. The rest of the line is not checked,
    because many such lines are meant for other tools and follow other grammars. Borrowed lines are skipped.
    """
    tags = []
    for line in lines:
        # most lines are prose, and this check costs a tenth of a match
        if "+" in line.text and not line.borrowed and (match := _BEGINNING.match(line.text)):
            start = match.start(1)
            text = line.text[start:].rstrip()
            span = line.span.sub(start - 1, start + len(text)) if line.literal else line.span
            tags.append(RawTag(match[1], text, span, line.literal))
    return tags


def parse(raw: RawTag) -> Tag:
    """Returns the tag in a line.

    Raises:
        TagSyntaxError: it breaks the grammar.
    """
    return _parse("tag", raw)


def parse_rule(raw: RawTag) -> Tag:
    """Returns the tag in a line, but refuses chains that are too long for recursion."""
    if raw.text.count("+") > LONGEST_CHAIN and len(_LINK.findall(_STRING.sub('""', raw.text))) > LONGEST_CHAIN:
        message = f"more than {LONGEST_CHAIN} tags are chained"
        raise TagSyntaxError(message, raw.part(0, len(raw.text) + 1), "leave out what says the same twice")
    return parse(raw)


def parse_raw(raw: RawTag) -> Tag:
    """Returns the tag with all text after `=` as the value, unparsed, as codetags does for generator directives."""
    return _parse("raw", raw)


def _parse(kind: str, raw: RawTag) -> Tag:
    try:
        return _move(_parse_relative(kind, raw.text), raw)
    except TagSyntaxError as error:
        span = raw.part(error.span.column, error.span.end_column)
        raise TagSyntaxError(error.message, span, error.help, error.mended) from None


@lru_cache(maxsize=8192)
def _parse_relative(kind: str, text: str) -> Tag:
    """Parses a tag with columns relative to its plus sign, so that equal texts share one cached result."""
    from lark import UnexpectedToken  # noqa: PLC0415 (slow to import, and not every run has tags to parse)

    try:
        return cast("Tag", _lark().parse(text, start=kind))
    except UnexpectedToken as error:
        raise _failure(error, kind, text) from None


def _move(tag: Tag, raw: RawTag) -> Tag:
    """Returns the tag with columns of the source line. It uses no recursion: a chain may exceed Python's stack."""
    chain = [tag]
    while link := chain[-1].payload:
        chain.append(link)
    payload = None
    for link in reversed(chain[1:]):
        payload = _move_link(link, payload, raw)
    return _move_link(tag, payload, raw)


def _move_link(tag: Tag, payload: Tag | None, raw: RawTag) -> Tag:
    def moved(span: Span) -> Span:
        return raw.part(span.column, span.end_column)

    args = tuple([Arg(a.name, a.value, a.type, moved(a.span)) for a in tag.args]) if tag.args else ()
    value_span = moved(tag.value_span) if tag.value_span else None
    return Tag(tag.name, args, tag.value, tag.value_type, payload, moved(tag.span), moved(tag.name_span), value_span)


@cache
def _lark() -> Lark:
    from lark import Lark  # noqa: PLC0415

    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        start=["tag", "raw", "mistake"],
        transformer=_Builder(),
    )


def _between(start: int, end: int) -> Span:
    """Returns the span of a part of the text. The text begins after the plus sign, from which columns count here."""
    return Span("", 0, start + 1, end + 1)


class _Builder:
    """Makes tags while the parser runs: Lark calls the method with the name of the rule that it has recognized."""

    def arg(self, children: list[Any]) -> Arg:
        name, token = children
        value, value_type = _scalar(token)
        return Arg(str(name or ""), value, value_type, _between((name or token).start_pos, token.end_pos))

    def args(self, children: list[Any]) -> tuple[tuple[Arg, ...], int]:
        *args, close = children
        for arg in args[1:]:
            if bool(arg.name) != bool(args[0].name):
                raise TagSyntaxError("can't mix named and positional arguments", arg.span, NAMED_ARGUMENTS)
            if not arg.name:
                raise TagSyntaxError("multiple arguments must use 'name: value' syntax", arg.span, NAMED_ARGUMENTS)
        return tuple(args), close.end_pos

    raw_args = args

    def tag(self, children: list[Any]) -> Tag:
        *wrappers, name, args, token = children
        end = token.end_pos if token else args[1] if args else name.end_pos
        if token is None or token.type == "NOTHING":
            tag = _tag(name, args, end)
        else:
            value, value_type = _scalar(token)
            tag = _tag(name, args, end, value=value, type=value_type, value_span=_between(token.start_pos, end))
        for wrapper, its_args, _ in reversed(wrappers):
            tag = _tag(wrapper, its_args, end, type=ValueType.TAG, payload=tag)
        return tag

    def raw(self, children: list[Any]) -> Tag:
        name, args, token = children
        if token is None:
            return _tag(name, args, args[1] if args else name.end_pos)
        span = _between(token.start_pos + 1, token.end_pos)
        return _tag(name, args, token.end_pos, value=token[1:], type=ValueType.RAW, value_span=span)

    wrapper = staticmethod(tuple)


def _tag(
    name: Token,
    args: tuple[tuple[Arg, ...], int] | None,
    end: int,
    *,
    value: str | None = None,
    type: ValueType = ValueType.NONE,
    payload: Tag | None = None,
    value_span: Span | None = None,
) -> Tag:
    start = name.start_pos or 0
    span, name_span = _between(start - 1, end), _between(start, start + len(name))
    return Tag(str(name), args[0] if args else (), value, type, payload, span, name_span, value_span)


def _scalar(token: Token) -> tuple[str, ValueType]:
    text = str(token)
    if token.type == "WORD":
        return text, ValueType.BOOL if text in ("true", "false") else ValueType.STRING
    if token.type == "STRING":
        return _ESCAPE.sub(r"\1", text[1:-1]), ValueType.STRING
    try:
        number = int(_GO_OCTAL.sub(r"\g<1>0o", text), 0)
    except ValueError:  # Python refuses to read decimal numbers of thousands of digits
        number = 2**63
    if not -(2**63) <= number < 2**63:
        raise _invalid_number(token, NUMBERS.format(value=quote(text)))
    return text, ValueType.INT


def _invalid_number(token: Token, help: str, mended: str | None = None) -> TagSyntaxError:
    start, end = token.start_pos or 0, token.end_pos or 0
    return TagSyntaxError(f'invalid number "{token}" at position {end}', _between(start, end), help, mended)


def _failure(error: UnexpectedToken, kind: str, text: str) -> TagSyntaxError:
    """Returns codetags' error where Lark's parser fails.

    It reports a malformed string or number only where a correct one would be allowed.
    """
    token = error.token
    hint, mended = remedy(error, lambda example: _lark().parse(example, start=kind), text)
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type == "$END":
        return TagSyntaxError("unexpected end of input", _between(len(text), len(text)), hint)
    if token.type == "OPEN_STRING" and "STRING" in error.expected:
        return TagSyntaxError(f"unterminated string at position {len(text)}", _between(start, end), hint)
    if token.type == "BAD_ESCAPE" and "STRING" in error.expected:
        message = f"unhandled escaped character {_rune(token[-1])}"
        return TagSyntaxError(message, _between(end - 2, end), hint)
    if token.type == "BAD_INT" and "INT" in error.expected:
        return _invalid_number(token, hint, mended)
    message = f"unexpected character {_rune(text[start])} at position {start + 1}"
    return TagSyntaxError(message, _between(start, start + 1), hint, mended)


def _rune(character: str) -> str:
    """Returns a character in the form of Go's `%q`."""
    if character in _GO_ESCAPES:
        shown = f"\\{_GO_ESCAPES[character]}"
    elif character.isprintable():
        shown = character
    else:
        code = ord(character)
        shown = f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return f"'{shown}'"
