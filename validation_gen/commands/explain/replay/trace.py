"""Traces the validators: traced code reports each check that runs, with its place, and the errors that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from validation_gen.emit.python import Trace
from validation_gen.ir import Operation as CheckOperation
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation


class TracedOperation(Operation):
    """The request around an object whose checks are traced. Traced code calls `ran`, `failed` and `part`."""

    __slots__ = ("_failures", "_last", "_path", "_paths", "_trace", "calls", "is_mended")

    traces = True

    def __init__(self, trace: Trace, options: Mapping[str, bool] | None, *, update: bool) -> None:
        super().__init__(options, update=update)
        self._trace = trace
        #: True if validators have met values of the wrong type, and have run again on a repaired copy.
        self.is_mended = False
        self._clear()

    def restart(self) -> None:
        self.is_mended = True
        self._clear()

    def _clear(self) -> None:
        self._path: list[str] = []
        #: The errors of each check that ran, by its operation, whether it is silent, and its path; `None` if it held.
        self._failures: dict[tuple[int, bool], dict[str, list[FieldError] | None]] = {}
        #: The paths of all checks that ran, and those above.
        self._paths: set[str] = set()
        #: The types whose checks ran, by name and path.
        self.calls: set[tuple[str, str]] = set()

    def ran(self, number: int, silent: bool, path: str) -> None:
        """Notes that a check runs at a path below the value of the current function."""
        failures = self._failures.setdefault((id(self._trace.operations[number]), silent), {})
        self._last = failures, "".join((*self._path, path)).removeprefix(".")
        failures.setdefault(self._last[1], None)
        path = self._last[1]
        while path not in self._paths:
            self._paths.add(path)
            path = path[: max(path.rfind("."), path.rfind("["), 0)]

    def failed(self, found: list[FieldError]) -> None:
        """Notes that the last check has failed. A check of the keys of a map runs several times at its path."""
        failures, path = self._last
        failures[path] = [*(failures[path] or ()), *found]

    def part(self, path: str, function: Callable[..., Any], *args: Any) -> Any:
        """Calls the function of the type of a part."""
        self._path.append(path)
        self.calls.add((function.__name__.partition("_")[2], "".join(self._path).removeprefix(".")))
        found = function(*args)
        self._path.pop()
        return found

    def is_below(self, path: str) -> bool:
        """Returns whether any check ran at a path or below it."""
        return path in self._paths

    def results(self, check: CheckOperation, silent: bool) -> Mapping[str, list[FieldError] | None]:
        """Returns the results of a check by path: the errors of a failure, `None` where it held."""
        return self._failures.get((id(check), silent), {})
