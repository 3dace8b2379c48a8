"""Input of one process: a source, a range of it, and how to read it. It can be sent anywhere as plain data."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from validation_gen.diagnostics.visible import redact


class Content(str, enum.Enum):
    """Format in which a partition is read."""

    LINES = "lines"  #: one JSON value a line: the lines that begin in the range
    STREAM = "stream"  #: the whole source, in any format
    ROWS = "rows"  #: a column of Parquet: the range counts row groups


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of a corpus.

    Attributes:
        number: its position among all, which is the order of the input.
        url: the source, a path or a URL.
        begin: the first byte, or row group.
        end: the first one behind it, `None` for the rest of the source.
        content: how it is read.
        size: the bytes of the whole source when it was listed, `None` if unknown.
        version: the store's version of the source, `""` if unknown.
        column: the column of Parquet.
        amount: estimate of the bytes that are read of Parquet.
    """

    number: int
    url: str
    begin: int = 0
    end: int | None = None
    content: Content = Content.STREAM
    size: int | None = None
    version: str = ""
    column: str = ""
    amount: int | None = None

    @property
    def is_cut(self) -> bool:
        """True if it is a part of its source."""
        return self.content is not Content.STREAM and (self.begin > 0 or self.end is not None)

    @property
    def weight(self) -> int:
        """Estimate of the bytes to read."""
        if self.amount is not None:
            return self.amount
        end = self.end if self.content is Content.LINES and self.end is not None else self.size
        return max(0, (end or 0) - (self.begin if self.content is Content.LINES else 0))

    def __str__(self) -> str:
        """Returns the source, and the range if it is not the whole: `s3://logs/a.jsonl[0:67108864]`."""
        url = redact(self.url)
        if not self.begin and self.end is None:
            return url
        return f"{url}[{self.begin}:{'' if self.end is None else self.end}]"

    def as_data(self) -> dict[str, Any]:
        """Returns plain data for `of_data`."""
        return {
            "number": self.number,
            "url": self.url,
            "begin": self.begin,
            "end": self.end,
            "content": self.content.value,
            "size": self.size,
            "version": self.version,
            "column": self.column,
            "amount": self.amount,
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Partition:
        """Restores a partition from `as_data`."""
        return cls(**{**data, "content": Content(data["content"])})
