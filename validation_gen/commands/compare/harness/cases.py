"""Boundary cases in a file: for each declared rule a request that breaks it and one that obeys it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.requests import Request
from validation_gen.emit.output import JSON_KEYS, JSON_MARKER
from validation_gen.files.reading import MOST_OF_DATA, read


@dataclass(frozen=True, slots=True)
class Rule:
    """A declared rule: an error at a general path (`<nil>` is the object), and the tag that declares it."""

    type: str
    path: str
    error: str
    origin: str
    tag: str
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """A rule, a request that breaks it, and a similar one that obeys it; `None` where there is no such request."""

    rule: Rule
    breaks: Request | None
    obeys: Request | None

    def __str__(self) -> str:
        """Returns the name of the case in test output."""
        kind = self.rule.type.rpartition(".")[2]
        return f"{kind} {self.rule.path} {self.rule.tag}"


def write_cases(cases: Iterable[Case]) -> str:
    """Returns the text of a file of cases. The same cases give the same text."""
    entries = [
        {"rule": asdict(case.rule), "breaks": _write(case.breaks), "obeys": _write(case.obeys)} for case in cases
    ]
    return json.dumps({JSON_KEYS[0]: JSON_MARKER, "cases": entries}, indent=1, ensure_ascii=True) + "\n"


def read_cases(file: Path) -> list[Case]:
    """Reads the cases in a file that `write_cases` has made."""
    entries = json.loads(read(file, MOST_OF_DATA))["cases"]
    return [Case(Rule(**each["rule"]), _read(each["breaks"]), _read(each["obeys"])) for each in entries]


def _write(request: Request | None) -> dict[str, Any] | None:
    if request is None:
        return None
    line = request.as_line()
    return {name: value for name, value in line.items() if value not in ({}, [])} | {"obj": request.obj}


def _read(line: dict[str, Any] | None) -> Request | None:
    return None if line is None else Request.of_line(line)
