"""Numbered pieces of text that the reading process sends to the parsers. Their contents are not parsed here."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple


class Form(str, enum.Enum):
    """Format of a piece."""

    JSON = "json"  #: one value
    YAML = "yaml"  #: documents, most often one
    YAML_ITEM = "yaml item"  #: one item of a list, with its dash
    YAML_FRAME = "yaml frame"  #: a list without its items: it has no objects, only mistakes
    UNREADABLE = "unreadable"  #: the bytes are a quotation of unreadable input


class Piece(NamedTuple):
    """A part of one file that is parsed by itself.

    `own` are the `apiVersion` and `kind` of items that inherit them from their list. `column` is 0 where the line is
    enough.
    """

    form: Form
    data: bytes
    line: int
    column: int = 0
    own: tuple[str, str] = ("", "")
    reason: str = ""


class Audited(NamedTuple):
    """Data of an audit event about a request, beside its object."""

    update: bool
    subresource: str
    namespace: str
    name: str


class Item(NamedTuple):
    """A piece on its way to `parse_item`. It is a tuple because tuples are pickled fast.

    Attributes:
        number: counted from 0 over all inputs. The same inputs give the same numbers.
        piece: the text.
        file: its file, `<stdin>` for standard input.
        consumed: the number of bytes of the inputs read so far, before decompression.
        audited: set where the piece is the object of a request in an audit log.
        old: the JSON text of the old object, of audit logs only.
        olds: the file that has the old objects, `""` without one.
        order: its position in the inputs, if the order of reading differs: the number of the partition, and that in
            it.
    """

    number: int
    piece: Piece
    file: str
    consumed: int
    audited: Audited | None = None
    old: bytes | None = None
    olds: str = ""
    order: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Bad:
    """An input that is no request: its location, its beginning, and the reason."""

    place: str
    quote: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}: {self.quote}" if self.quote else f"{self.place}: {self.reason}"


def place(file: str, line: int, column: int = 0) -> str:
    """Returns a position in the form of messages."""
    return f"{file}:{line}:{column}" if line and column else f"{file}:{line}" if line else file
