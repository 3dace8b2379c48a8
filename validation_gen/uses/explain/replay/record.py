"""What is told of single checks: records in the order of evaluation."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import render_error


class Status(str, enum.Enum):
    """What has become of a check. STOPS: it gave no error, and kept others from running, as `+k8s:optional` does."""

    HELD = "held"
    FAILED = "failed"
    STOPS = "stops"
    SKIPPED = "skipped"


class Why(str, enum.Enum):
    """Why a check was skipped."""

    UNCHANGED = "unchanged"
    STOPPED = "stopped"
    OPTION = "option"
    SUBRESOURCE = "subresource"
    LEVEL = "level"
    CREATE = "create"
    MODE = "mode"
    OPAQUE = "opaque"
    ABSENT = "absent"
    WRONG_TYPE = "wrong type"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Skip:
    """A reason to leave checks out, in a word and in a sentence. `at` is the place that it comes from."""

    why: Why
    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One check at one place.

    `path` is that of the value, `""` for the object itself. `source` is where the tag stands, `on` what carries it.
    `stops` says that it stops others when it fails, `silent` that it reports nothing.
    """

    path: str
    tag: str
    source: str
    on: str
    status: Status
    skip: Skip | None = None
    errors: tuple[FieldError, ...] = ()
    level: str = ""
    stops: bool = False
    silent: bool = False
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "path": self.path,
            "tag": self.tag,
            "source": self.source,
            "on": self.on,
            "status": self.status.value,
            "why": self.skip.why.value if self.skip else "",
            "reason": self.skip.text if self.skip else self.note,
            "because": self.skip.at if self.skip else "",
            "level": self.level,
            "stops": self.stops,
            "silent": self.silent,
            "errors": [{**error.as_dict(), "message": render_error(error)} for error in self.errors],
        }


@dataclass(slots=True)
class Replay:
    """All records of an object. `surprises` counts errors where none was expected: a mistake of the replay itself."""

    records: list[Record] = field(default_factory=list)
    errors: list[FieldError] = field(default_factory=list)
    surprises: int = 0

    def count(self, status: Status) -> int:
        return sum(record.status is status for record in self.records)


def is_below(path: str, above: str) -> bool:
    """Tells whether a path is another one, or leads further in."""
    return not above or path == above or path.startswith((f"{above}.", f"{above}["))


def matching(records: list[Record], path: str) -> list[str]:
    """The places that a path means; `[*]` is any item of a list or value of a map."""
    if "[*]" not in path:
        return [path]
    pattern = r"\[[^\]]*\]".join(map(re.escape, path.split("[*]")))
    found = (re.match(rf"{pattern}(?![^.\[])", record.path) for record in records)
    return list(dict.fromkeys(match[0] for match in found if match)) or [path]


def narrowed(records: list[Record], path: str) -> list[Record]:
    """The records of a value and of all in it, and those further up that matter for it: which stop, or have failed."""
    places = matching(records, path)
    return [record for record in records if any(_matters(record, place) for place in places)]


def _matters(record: Record, place: str) -> bool:
    return (
        is_below(record.path, place)
        or (is_below(place, record.path) and record.stops)
        or any(is_below(error.place.replace("<nil>", ""), place) for error in record.errors)
    )
