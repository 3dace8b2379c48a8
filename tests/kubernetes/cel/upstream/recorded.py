"""The tables of others' tests as data: what `checkouts.py` reads from a checkout, recorded in `testdata/cel-upstream/`.

Only what the tables contain is kept: expressions, schemas, objects, and what comes of them.
"""

from __future__ import annotations

import dataclasses
import enum
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.case_folders import ROOT
from tests.kubernetes.cel.spec.tables import Case
from tests.kubernetes.cel.upstream.checkouts import folder
from tests.kubernetes.cel.upstream.gotables import OPAQUE, Struct
from validation_gen.kubernetes.cel.declarations import Function, Overload
from validation_gen.kubernetes.cel.entries import Entries
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.kubernetes.cel.values import Duration, Optional, Timestamp, TypeValue, Uint

#: Classes of values in tables, each with a name of its own.
_CLASSES: dict[str, Any] = {
    each.__name__: each for each in (Case, Duration, Function, Optional, Overload, Struct, Timestamp, Type, TypeValue)
}


@dataclass(frozen=True)
class Recorded:
    """Tables by name. `read` gets them from a folder of the checkout that a variable of the environment names."""

    name: str
    variable: str
    path: str
    read: Callable[[Path], dict[str, Any]]

    @property
    def file(self) -> Path:
        return ROOT / "testdata" / "cel-upstream" / f"{self.name}.json.gz"

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The tables as they are recorded."""
        found: dict[str, Any] = _decode(json.loads(gzip.decompress(self.file.read_bytes())))
        return found

    def text(self) -> str | None:
        """Returns the text of the recording that the checkout gives, if there is one."""
        found = folder(self.variable, self.path)
        return None if found is None else json.dumps(_encode(self.read(found)), separators=(",", ":"))

    def recorded_text(self) -> str:
        return json.dumps(_encode(self.tables), separators=(",", ":"))

    def write(self, text: str) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(gzip.compress(text.encode(), mtime=0))


def _encode(value: Any) -> Any:
    """Returns a value as JSON: what JSON does not have is an object with the one name `$…`."""
    kind = type(value)
    if value is OPAQUE:
        return {"$opaque": None}
    if kind is list:
        return [_encode(each) for each in value]
    if kind is dict:
        if all(type(name) is str and not name.startswith("$") for name in value):
            return {name: _encode(part) for name, part in value.items()}
        return {"$dict": [[_encode(name), _encode(part)] for name, part in value.items()]}
    if kind is tuple:
        return {"$tuple": [_encode(each) for each in value]}
    if kind is bytes:
        return {"$bytes": value.hex()}
    if kind is Uint:
        return {"$uint": int(value)}
    if kind is Entries:
        return {"$entries": [[_encode(name), _encode(part)] for name, part in value.items()]}
    if isinstance(value, enum.Enum):
        return {f"${kind.__name__}": value.name}
    if kind.__name__ in _CLASSES:
        return {f"${kind.__name__}": [_encode(getattr(value, each.name)) for each in dataclasses.fields(value)]}
    assert value is None or kind in (bool, int, float, str), kind
    return value


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(each) for each in value]
    if not isinstance(value, dict):
        return value
    name = next(iter(value), "")
    if not name.startswith("$"):
        return {key: _decode(part) for key, part in value.items()}
    inner = value[name]
    simple: dict[str, Callable[[], Any]] = {
        "$opaque": lambda: OPAQUE,
        "$dict": lambda: {_decode(key): _decode(part) for key, part in inner},
        "$tuple": lambda: tuple(map(_decode, inner)),
        "$bytes": lambda: bytes.fromhex(inner),
        "$uint": lambda: Uint(inner),
        "$entries": lambda: Entries([(_decode(key), _decode(part)) for key, part in inner]),
        "$Kind": lambda: Kind[inner],
    }
    return simple[name]() if name in simple else _CLASSES[name[1:]](*map(_decode, inner))
