"""What goes from the reading process to those that parse: numbered pieces of text. It knows not what they say."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple


class Form(str, enum.Enum):
    """How the bytes of a piece are read."""

    JSON = "json"  #: one value
    YAML = "yaml"  #: documents, most often one
    YAML_ITEM = "yaml item"  #: one item of a list, with its dash
    YAML_FRAME = "yaml frame"  #: what a list says around its items: it has no objects, only mistakes
    UNREADABLE = "unreadable"  #: the bytes are a quotation of what could not be read


class Piece(NamedTuple):
    """A part of one file that is read by itself.

    `own` are the `apiVersion` and `kind` of items that leave them to their list. `column` is 0 where the line tells
    enough.
    """

    form: Form
    data: bytes
    line: int
    column: int = 0
    own: tuple[str, str] = ("", "")
    reason: str = ""


class Audited(NamedTuple):
    """What an audit log says of a request beside its object."""

    update: bool
    subresource: str
    namespace: str
    name: str


class Item(NamedTuple):
    """A piece on its way to `parse_item`. It is a tuple because tuples are pickled fast.

    Attributes:
        number: counted from 0 over all inputs. The same inputs give the same numbers.
        piece: the text.
        file: where it stands, `<stdin>` for standard input.
        consumed: how many bytes of the inputs have been read so far, compressed ones where they are compressed.
        audited: set where the piece is the object of a request in an audit log.
        old: the JSON text of the object as it was, of audit logs only.
        olds: the file that has the objects as they were, `""` without one.
        order: where it stands in the inputs, if others that stand elsewhere are read before: the number of the
            partition, and that in it.
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
    """Something that is no request: where it stands, how it begins, and why it is none."""

    place: str
    quote: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}: {self.quote}" if self.quote else f"{self.place}: {self.reason}"


def place(file: str, line: int, column: int = 0) -> str:
    """A position as people write it."""
    return f"{file}:{line}:{column}" if line and column else f"{file}:{line}" if line else file
