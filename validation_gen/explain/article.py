"""What is said about one name, free of any layout."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences; names in them stand in backquotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table, all of whose rows are as long as its header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines to be shown as they are. `file` is their place, when there is more than one."""

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
    """`name` is what is explained and `title` says it in one sentence."""

    name: str
    title: str
    sections: tuple[Section, ...]
