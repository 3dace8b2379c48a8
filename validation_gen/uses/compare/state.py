"""Checkpoint of a comparison in a file, so that it can be interrupted and resumed."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from validation_gen.emit.output import replace_file
from validation_gen.files import reading
from validation_gen.uses.compare.results import Results


class StateError(ValueError):
    """A file that holds no state, or that of another comparison."""


@dataclass(slots=True)
class State:
    """The number of finished items, and their results.

    `fingerprint` identifies all inputs that results depend on; results of another comparison are not resumed.
    """

    fingerprint: str
    items: int
    results: Results

    def write(self, file: str) -> None:
        """Replaces the file atomically, so that an interruption leaves the old one or the new one.

        Raises:
            OSError: it cannot be written.
        """
        data = {"fingerprint": self.fingerprint, "items": self.items, "results": self.results.as_data()}
        replace_file(Path(file), json.dumps(data, default=repr).encode())

    @classmethod
    def read(cls, file: str, fingerprint: str) -> State | None:
        """Reads the state in a file, `None` when there is no such file.

        Raises:
            OSError: it cannot be read.
            StateError: it is no state, or that of another comparison.
        """
        if not os.path.exists(file):  # noqa: PTH110 - unlike Path.exists, it never raises
            return None
        try:
            data = json.loads(reading.read(file, reading.MOST_OF_DATA))
            if data["fingerprint"] == fingerprint:
                return cls(fingerprint, int(data["items"]), Results.of_data(data["results"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise StateError("it does not hold the state of a comparison") from None
        raise StateError("it holds the state of another comparison: other rules, objects or settings")
