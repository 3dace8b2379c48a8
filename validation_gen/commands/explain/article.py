"""Articles, each about one name, and their text for terminals and as Markdown, for docs/."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from validation_gen.diagnostics.formats import TAB_STOP, Styler
from validation_gen.diagnostics.visible import visible


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences; names in them are in backquotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table, all of whose rows are as long as its header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines to be shown unchanged. `file` is their path, when there is more than one."""

    language: str
    text: str
    file: str = ""


Block = Prose | Rows | Listing


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """`name` is the explained name and `title` a summary in one sentence."""

    name: str
    title: str
    sections: tuple[Section, ...]


def as_dict(part: Article | Section) -> dict[str, Any]:
    """Converts it to data for programs. Each block has its kind, and the rows of tables are objects."""
    if isinstance(part, Article):
        return {"name": part.name, "title": part.title, "sections": [as_dict(each) for each in part.sections]}
    return {"heading": part.heading, "blocks": [_block(each) for each in part.blocks]}


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Rows):
        return {"kind": "rows", "rows": [dict(zip(block.header, row, strict=True)) for row in block.rows]}
    return {"kind": type(block).__name__.lower(), **asdict(block)}


_KEPT = "\N{NO-BREAK SPACE}"


def wrap(text: str, width: int) -> list[str]:
    """Returns the lines of a text, at least one. Text in backquotes is meant to be typed, and stays on one line."""
    joined = re.sub("`[^`]*`", lambda match: match[0].replace(" ", _KEPT), visible(text, keep="\t\n"))
    lines = textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_KEPT, " ") for line in lines] or [""]


_INDENT = "  "
_GAP = "  "
_NARROWEST = 20  # a narrower last column is not broken


def article_text(article: Article, style: Styler, width: int) -> str:
    """Renders an article in lines of at most `width` cells, where they can be broken. It ends with a line feed."""
    head = "\n".join(_wrap(f"{article.name}: {article.title}", width))
    head = style("strong", article.name) + head.removeprefix(article.name)
    return f"{head}\n\n{sections_text(article.sections, style, width)}"


def sections_text(sections: Iterable[Section], style: Styler, width: int | None = None) -> str:
    """Renders sections with an empty line in between; without a width each row of a table is one line."""
    return "\n".join("".join(f"{line}\n" for line in _section(section, style, width)) for section in sections)


def _section(section: Section, style: Styler, width: int | None) -> Iterator[str]:
    yield style("help", section.heading)
    for number, block in enumerate(section.blocks):
        if number and isinstance(block, Listing):
            yield ""
        for line in _lines(block, None if width is None else width - len(_INDENT)):
            yield f"{_INDENT}{line}".rstrip()


def _lines(block: Block, width: int | None) -> Iterator[str]:
    match block:
        case Prose(text=text):
            yield from _wrap(text, width)
        case Listing(text=text, file=file):
            if file:
                yield f"{file}:"
            yield from text.expandtabs(TAB_STOP).split("\n")
        case Rows(header=header, rows=rows):
            named = "meaning" not in header  # a name beside its meaning needs no head
            yield from _table([header, *rows] if named else list(rows), width)


def _table(rows: list[tuple[str, ...]], width: int | None) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    begin = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
    room = width - begin if width is not None and width - begin >= _NARROWEST else None
    for row in rows:
        head = "".join(cell.ljust(size) + _GAP for cell, size in zip(row[:-1], widths[:-1], strict=True))
        first, *rest = _wrap(row[-1], room)
        yield head + first
        yield from (" " * begin + line for line in rest)


def _wrap(text: str, width: int | None) -> list[str]:
    return [text] if width is None else wrap(text, width)


_WIDTH = 116


def article_lines(article: Article, heading: str) -> Iterator[str]:
    """Yields an article below a heading of the second level."""
    yield from (f"## {heading}", "", *paragraph(article.title[0].upper() + article.title[1:].removesuffix(".") + "."))
    for section in article.sections:
        match section.blocks:
            case (Prose(text=text), *rest):
                yield from ("", *paragraph(f"**{section.heading}:** {text}"))
            case rest:
                yield from ("", f"**{section.heading}:**")
        for block in rest:
            yield from ("", *_markdown_block(block))


def _markdown_block(block: Block) -> Iterator[str]:
    match block:
        case Prose(text=text):
            yield from paragraph(text)
        case Rows(header=header, rows=rows):
            names = "meaning" in header
            yield from table(header, [(f"`{row[0]}`" if names else row[0], *row[1:]) for row in rows])
        case Listing(language=language, text=text, file=file):
            if file:
                yield from (f"`{file}`:", "")
            yield from (f"```{language}", *text.split("\n"), "```")


def paragraph(text: str) -> list[str]:
    return wrap(_safe(text), _WIDTH)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yields a table; its head is capitalised."""
    yield _row([cell.capitalize() for cell in header])
    yield "|" + "---|" * len(header)
    for row in rows:
        yield _row([_safe(cell).replace("|", r"\|") for cell in row])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _safe(text: str) -> str:
    """Escapes text outside of backquotes, so that it is not taken for HTML."""
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in re.split(r"(`[^`]*`)", text))
