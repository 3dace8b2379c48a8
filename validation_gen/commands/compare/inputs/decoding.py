"""Decodes JSON as the API server does, at the speed of Python's own reader. It reads no files.

Its input are numbered pieces of text from the reading process. It refuses out-of-range numbers, `NaN` and duplicate
keys. The check for duplicates costs as much as the rest, and is still cheap beside validation; without it an object
would be compared that no client has sent.
"""

from __future__ import annotations

import enum
import json
import math
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from validation_gen.kubernetes.yaml import plain, whole

_MAX_DEPTH = 1000
_NESTED = (dict, list)


class DuplicateKeyError(ValueError):
    """A duplicate key. Its position is unknown."""


def load(text: str) -> Any:
    """Decodes a text.

    Raises:
        ValueError: it is not JSON; a `json.JSONDecodeError` where the position is known.
        RecursionError: it is nested too deeply.
    """
    value = _JSON.decode(text)
    if text.count("[") + text.count("{") > _MAX_DEPTH and _is_deep(value):
        raise RecursionError
    return _replace_surrogates(value) if _SURROGATE.search(text) else value


def _is_deep(value: Any) -> bool:
    """Returns whether a value is nested deeper than the limit for YAML. Python's own limit depends on its version."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            item
            for outer in level
            if isinstance(outer, _NESTED)
            for item in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        seen: set[str] = set()
        again = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise DuplicateKeyError(f"the key `{again:.40}` is there twice")
    return obj


def _integer(text: str) -> int | float:
    """Returns integers of 64 bits. Others become floats, as in Go."""
    if len(text) < 19:
        return int(text)
    value = plain(text)
    return value if isinstance(value, int) else _float(text)


def _float(text: str) -> int | float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text:.40} is more than a JSON number can be")
    return whole(value)


def _constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant)

# --- halves of surrogate pairs ----------------------------------------------------------------------------------------

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")


def _replace_surrogates(value: Any) -> Any:
    """Replaces unpaired surrogates by U+FFFD, as they cannot be encoded. Go does the same."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_HALF.sub("\ufffd", key): _replace_surrogates(item) for key, item in value.items()}
    return [_replace_surrogates(item) for item in value] if isinstance(value, list) else value


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


def render_position(file: str, line: int, column: int = 0) -> str:
    """Returns a position in the form of messages."""
    return f"{file}:{line}:{column}" if line and column else f"{file}:{line}" if line else file
