"""Articles as text for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Rows, Section
from validation_gen.commands.explain.wrapping import wrapped
from validation_gen.diagnostics.formats import TAB_STOP, Styler

_INDENT = "  "
_GAP = "  "
_NARROWEST = 20  # a narrower last column is not broken


def article_text(article: Article, style: Styler, width: int) -> str:
    """Renders an article in lines of at most `width` cells, where they can be broken. It ends with a line feed."""
    head = "\n".join(_wrapped(f"{article.name}: {article.title}", width))
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
            yield from _wrapped(text, width)
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
        first, *rest = _wrapped(row[-1], room)
        yield head + first
        yield from (" " * begin + line for line in rest)


def _wrapped(text: str, width: int | None) -> list[str]:
    return [text] if width is None else wrapped(text, width)
