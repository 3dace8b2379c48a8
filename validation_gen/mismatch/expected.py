"""Expected differences, each with a reason and an expiry date.

A file of them is JSON (`validation-gen compare` takes YAML, too):

    {"expected": [{"kind": "Widget", "path": "spec.ports[*].name", "type": "FieldValueInvalid", "origin": "maxLength",
                   "side": "handwritten", "reason": "old objects have longer names", "expires": "2027-03-31"}]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from validation_gen.files.reading import read_named
from validation_gen.mismatch.outcome import Mismatch, Side
from validation_gen.runtime.errors import ErrorType

_KEYS = ("kind", "path", "type", "origin", "tag", "side", "reason", "expires")
_ELEMENT = r"\[[^\[\]]*\]"
_ANY = "[*]"


def general_path(path: str) -> str:
    """Returns a path with `[*]` for every index and key."""
    return re.sub(_ELEMENT, _ANY, path)


@lru_cache(maxsize=1000)
def _paths(pattern: str) -> re.Pattern[str]:
    """Returns a pattern for paths; `[*]` matches any index or key, others are literal."""
    return re.compile(_ELEMENT.join(re.escape(part) for part in pattern.split(_ANY)))


@dataclass(frozen=True, slots=True)
class Expectation:
    """A difference that is expected. Empty parts match everything; so does `*` for a kind, path, type or origin.

    Attributes:
        kind: the kind, optionally with its package or API version in front (`robots.example.com/v1/Robot`).
        path: a path, with `[*]` for any index or key.
        type: the type of the error, such as `FieldValueInvalid`.
        origin: the origin of the error.
        tag: the tag of the error in canonical form; handwritten errors have none.
        side: whose error it is, `handwritten` or `declarative`.
        reason: why it is expected.
        expires: the last day on which it is, `None` for always.
    """

    reason: str
    kind: str = ""
    path: str = ""
    type: str = ""
    origin: str = ""
    tag: str = ""
    side: str = ""
    expires: date | None = None

    @classmethod
    def from_entry(cls, entry: Any) -> Expectation:
        """Reads an entry of a file.

        Raises:
            ValueError: the entry is malformed; the text is the reason.
        """
        if not isinstance(entry, dict):
            raise ValueError("an entry is an object with a reason")
        for name, value in entry.items():
            if name not in _KEYS:
                raise ValueError(f"an entry has no {name}; it has {', '.join(_KEYS)}")
            if not isinstance(value, str) and not (name == "expires" and isinstance(value, date)):
                raise ValueError(f"{name} must be a string")
        if not entry.get("reason", "").strip():
            raise ValueError("reason is missing: say why the difference is expected")
        if not any(entry.get(name, "*") not in ("*", "") for name in ("kind", "path", "type", "origin", "tag")):
            raise ValueError("the entry matches everything: name a kind, path, type, origin or tag")
        if entry.get("type", "*") not in ("*", "", *(each.value for each in ErrorType)):
            raise ValueError(f"{entry['type']} is no type of errors, such as FieldValueInvalid")
        if entry.get("side", "") not in ("", *(side.value for side in Side)):
            raise ValueError("side is handwritten or declarative")
        expires = entry.get("expires")
        if isinstance(expires, str):
            try:
                expires = date.fromisoformat(expires)
            except ValueError:
                raise ValueError(f"expires is a day such as 2027-03-31, not {expires}") from None
        return cls(**{**entry, "expires": expires})

    def is_expired(self, today: date) -> bool:
        return self.expires is not None and today > self.expires

    def matches(self, kind: str, mismatch: Mismatch) -> bool:
        """Returns whether it matches a mismatch. `kind` may have a package or an API version in front."""
        error = mismatch.error
        return (
            (self.kind in ("", "*", kind) or kind.endswith((f"/{self.kind}", f".{self.kind}")))
            and (self.path in ("", "*", error.field) or _paths(self.path).fullmatch(error.field) is not None)
            and self.type in ("", "*", error.type.value)
            and self.origin in ("", "*", error.origin)
            and self.tag in ("", error.tag)
            and self.side in ("", mismatch.side.value)
        )


class Expectations:
    """All differences that are expected now. Those that have expired are not; `expired` has them.

    `today` returns the day, so that a long-running process notices when one expires.
    """

    def __init__(self, entries: Iterable[Expectation] = (), today: Callable[[], date] = date.today) -> None:
        self.entries = tuple(entries)
        self._today = today
        self._day: date | None = None
        self._current: tuple[Expectation, ...] = ()

    @classmethod
    def read(cls, file: str | Path) -> Expectations:
        """Returns the differences in a JSON file.

        Raises:
            OSError: it cannot be read.
            ValueError: it is malformed; the text names the file and the entry.
        """
        try:
            entries = read_entries(json.loads(read_named(file)))
            return cls(_number(number, entry) for number, entry in enumerate(entries, 1))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: {error}") from None

    @property
    def expired(self) -> list[Expectation]:
        """The differences that are not expected any more."""
        today = self._today()
        return [entry for entry in self.entries if entry.is_expired(today)]

    def find(self, kind: str, mismatch: Mismatch) -> Expectation | None:
        """Returns the first expectation that means a mismatch."""
        today = self._today()
        if today != self._day:
            self._current = tuple(entry for entry in self.entries if not entry.is_expired(today))
            self._day = today
        return next((entry for entry in self._current if entry.matches(kind, mismatch)), None)


def _number(number: int, entry: Any) -> Expectation:
    try:
        return Expectation.from_entry(entry)
    except ValueError as error:
        raise ValueError(f"entry {number}: {error}") from None


def read_entries(document: Any) -> list[Any]:
    """Returns the entries of a file of expectations.

    Raises:
        ValueError: it is not made like one.
    """
    entries = document.get("expected") if isinstance(document, Mapping) else None
    if not isinstance(entries, list):
        raise ValueError("a file of expected differences is an object with a list `expected`")
    return entries
