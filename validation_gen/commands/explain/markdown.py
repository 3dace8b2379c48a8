"""Articles as Markdown, for docs/."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Rows
from validation_gen.commands.explain.wrapping import wrapped

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
            yield from ("", *_block(block))


def _block(block: Block) -> Iterator[str]:
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
    return wrapped(_safe(text), _WIDTH)


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
