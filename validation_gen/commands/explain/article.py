"""Article about one name, without a layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    match block:
        case Prose(text=text):
            return {"kind": "prose", "text": text}
        case Rows(header=header, rows=rows):
            return {"kind": "rows", "rows": [dict(zip(header, row, strict=True)) for row in rows]}
        case Listing(language=language, text=text, file=file):
            return {"kind": "listing", "language": language, "text": text, "file": file}
