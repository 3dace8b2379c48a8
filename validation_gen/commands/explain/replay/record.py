"""Results of single checks: records in the order of evaluation."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import render_error


class Status(str, enum.Enum):
    """Result of a check. STOPS: it gave no error, but stopped others, as `+k8s:optional` does."""

    HELD = "held"
    FAILED = "failed"
    STOPS = "stops"
    SKIPPED = "skipped"


class SkipReason(str, enum.Enum):
    """Reason why a check was skipped."""

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
    """A reason to skip checks, in a word and in a sentence. `at` is the path of its cause."""

    why: SkipReason
    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One check at one path.

    `path` is that of the value, `""` for the object itself. `source` is the location of the tag, `on` its carrier.
    `stops` is True if its failure stops others, `silent` if it reports nothing.
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
        """Converts it to data for programs."""
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
    """All records of an object. `surprises` counts unassigned errors: a mistake of the replay itself."""

    records: list[Record] = field(default_factory=list)
    errors: list[FieldError] = field(default_factory=list)
    surprises: int = 0

    def count(self, status: Status) -> int:
        return sum(record.status is status for record in self.records)


def is_below(path: str, above: str) -> bool:
    """Returns whether a path is equal to another one, or below it."""
    return not above or path == above or path.startswith((f"{above}.", f"{above}["))


def matching(records: list[Record], path: str) -> list[str]:
    """Returns the paths that a pattern matches; `[*]` is any item of a list or value of a map."""
    if "[*]" not in path:
        return [path]
    pattern = r"\[[^\]]*\]".join(map(re.escape, path.split("[*]")))
    found = (re.match(rf"{pattern}(?![^.\[])", record.path) for record in records)
    return list(dict.fromkeys(match[0] for match in found if match)) or [path]


def narrowed(records: list[Record], path: str) -> list[Record]:
    """Returns the records of a value and its children, and of parents that stop or have failed."""
    places = matching(records, path)
    return [record for record in records if any(_matters(record, place) for place in places)]


def _matters(record: Record, place: str) -> bool:
    return (
        is_below(record.path, place)
        or (is_below(place, record.path) and record.stops)
        or any(is_below(error.place.replace("<nil>", ""), place) for error in record.errors)
    )
