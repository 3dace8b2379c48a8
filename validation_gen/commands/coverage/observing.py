"""Reads results of tests: lines of JSON with a kind and its errors, and finds the declared errors.

Results of parts merge in any order. Nothing here opens files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from validation_gen.commands.corpora.codec import decode, encode
from validation_gen.commands.coverage import Declared, Index, Observed
from validation_gen.diagnostics import Span

_EXAMPLE = '{"package": "robots/v1", "kind": "Robot", "errors": [{"type": "FieldValueRequired", "field": "spec.arm"}]}'
#: Lines that are no test results are reported up to this number; the rest of them are counted.
MOST_TOLD = 1000
_MOST_KNOWN = 10_000  # size of the cache of observed errors

#: A partition, and a line in it.
Place = tuple[int, int]


class Key(NamedTuple):
    """Attributes of an observed error that identify a declared one: several tags may declare the same error."""

    package: str
    api_version: str
    kind: str
    path: str
    type: str
    origin: str

    @classmethod
    def of(cls, rule: Declared) -> Key:
        """Returns the key of a declared error."""
        return cls(rule.package, rule.api_version, rule.kind, rule.path, rule.type, rule.origin)


class UnusableError(Exception):
    """A record is malformed. The text is the problem, `help` the correct form."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


def observed_in(line: bytes) -> list[Observed]:
    """Returns the errors in a request with its answer, a JSON object.

    It has `kind`, `package` or `apiVersion` unless the kind is in one package only, and `errors` with `type`, `field`
    and `origin` (tag reference 5.7). Other names are ignored.

    Raises:
        UnusableError: it is no such record.
    """
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise UnusableError(f"not JSON: {problem}", f"write {_EXAMPLE}") from None
    if not isinstance(record, dict):
        raise UnusableError("not a JSON object", f"write {_EXAMPLE}")
    kind = _text(record, "kind")
    if not kind:
        raise UnusableError("kind is missing", "an answer of `validation-gen stdio` is joined with its request")
    errors = record.get("errors")
    if not isinstance(errors, list):
        refusal = f": {record['error']}" if isinstance(record.get("error"), str) else ""
        raise UnusableError(f"it has no list of errors{refusal}", "an empty list means a valid object")
    found = []
    for error in errors:
        if not isinstance(error, dict) or not _text(error, "type") or not _text(error, "field"):
            raise UnusableError("an error has no type or no field", f"write {_EXAMPLE}")
        place = (kind, _text(error, "field"), _text(error, "type"), _text(error, "origin"))
        found.append(Observed(*place, package=_text(record, "package"), api_version=_text(record, "apiVersion")))
    return found


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise UnusableError(f"{name} is no string")
    return value or ""


@dataclass(slots=True)
class Seen:
    """Declared errors that tests have triggered.

    Attributes:
        triggered: the numbers of the keys of the triggered errors.
        unusable: the first lines that are no test results, with the reason and the correct form.
        untold: the number of further ones.
    """

    triggered: set[int] = field(default_factory=set)
    unusable: dict[Place, tuple[str, str]] = field(default_factory=dict)
    untold: int = 0

    def merge(self, other: Seen) -> None:
        """Adds the results of another part."""
        self.triggered |= other.triggered
        self.unusable |= other.unusable
        self.untold += other.untold
        if len(self.unusable) > MOST_TOLD:
            self.untold += len(self.unusable) - MOST_TOLD
            self.unusable = dict(sorted(self.unusable.items())[:MOST_TOLD])

    def as_data(self) -> dict[str, Any]:
        """Returns plain data for `of_data`."""
        return encode(self)

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Seen:
        """Restores results from `as_data`."""
        return decode(cls, data)


class Observer:
    """Finds declared errors in results of tests. Their numbers are indexes into `keys`."""

    def __init__(self, keys: Iterable[Key]) -> None:
        rules = [Declared(*key, tag="", span=Span("")) for key in keys]
        self._index = Index(rules)
        self._numbers = {rule: number for number, rule in enumerate(rules)}
        self._known: dict[Observed, frozenset[int]] = {}

    def see(self, lines: Iterable[bytes], number: int, line_of: Callable[[], int] | None = None) -> Seen:
        """Reads the lines of the partition with this number, one at a time.

        `line_of` returns the number of the last line, if lines are left out.
        """
        seen = Seen()
        for count, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                for error in observed_in(line):
                    seen.triggered |= self._of(error)
            except UnusableError as problem:
                if len(seen.unusable) < MOST_TOLD:
                    seen.unusable[number, line_of() if line_of else count] = str(problem), problem.help
                else:
                    seen.untold += 1
        return seen

    def _of(self, error: Observed) -> frozenset[int]:
        found = self._known.get(error)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = frozenset(self._numbers[rule] for rule in self._index.find(error))
            self._known[error] = found
        return found
