"""The errors of an object that are not yet assigned to checks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from validation_gen.ir import Check, CustomFunction, Predicate
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.rule import NO_RULE

_INTERNAL = "InternalError"


class Ledger:
    """Errors by tag and its location, in the order in which they were reported."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        self._open: dict[tuple[str, str], list[FieldError]] = {}
        for error in errors:
            if error.rule is not NO_RULE:
                self._open.setdefault((error.tag, error.rule.place), []).append(error)

    def take(self, outer: Check, inner: Check, path: str) -> list[FieldError]:
        """Removes and returns the errors of a check at a path. `outer` has the tag, `inner` the possible errors."""
        found = [error for error in self._of(outer) if _fits(error, inner, path)]
        self._remove(outer, found)
        return found

    def take_internal(self, outer: Check, path: str) -> list[FieldError]:
        """Removes and returns the internal errors of a check."""
        found = [e for e in self._of(outer) if e.type.value == _INTERNAL and _place(e) == path]
        self._remove(outer, found)
        return found

    def rest(self) -> list[FieldError]:
        """Returns the errors that were not assigned."""
        return [error for errors in self._open.values() for error in errors]

    def _of(self, check: Check) -> list[FieldError]:
        return self._open.get((check.tag.text, check.tag.place), [])

    def _remove(self, check: Check, found: list[FieldError]) -> None:
        if found:
            key = (check.tag.text, check.tag.place)
            self._open[key] = [error for error in self._open[key] if not any(error is each for each in found)]


def _fits(error: FieldError, check: Check, path: str) -> bool:
    place = _place(error)
    operation = check.operation
    if isinstance(operation, Predicate) and any(isinstance(o, CustomFunction) for o in operation.operands):
        return place == path or place.startswith((f"{path}.", f"{path}[")) or not path
    if error.type.value == _INTERNAL:
        return place == path
    for emission in check.emits:
        if (emission.type, emission.origin) != (error.type.value, error.origin):
            continue
        wanted = f"{path}{emission.path}" if path else emission.path.removeprefix(".")
        if wanted == place or ("[*]" in emission.path and _suffix(emission.path).fullmatch(place, len(path))):
            return place.startswith(path)
    return False


@lru_cache(maxsize=256)
def _suffix(pattern: str) -> re.Pattern[str]:
    return re.compile(r"\[.*\]".join(map(re.escape, pattern.split("[*]"))), re.DOTALL)


def _place(error: FieldError) -> str:
    place = error.place
    return "" if place == "<nil>" else place
