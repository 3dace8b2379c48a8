"""Lists of checks in generated code: their order by cohorts, and the effect of a failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from validation_gen.emit.python.checks import CheckEmitter
from validation_gen.emit.python.guards import is_deep
from validation_gen.emit.python.place import Place, Sink
from validation_gen.emit.python.quickconditions import passed_by_zero
from validation_gen.emit.text import Code
from validation_gen.ir import Check, Predicate, PredicateSpec, Presence, cohorts, occurs, predicates

#: Conditions under which a silent check does not stop, if they need no call.
_NEGATED = {predicates.UNSET: "{value}", predicates.UNSET_POINTER: "{value} is not None"}

_REPORT = Sink()
_STOP = Sink(flag="stop")
_SILENT_STOP = Sink(errors="", flag="stop")

#: Writes the code after the checks of a value.
Rest = Callable[[Place], None]


@dataclass(slots=True)
class CohortEmitter:
    """Writes lists of checks."""

    checks: CheckEmitter

    @property
    def code(self) -> Code:
        return self.checks.code

    @property
    def is_traced(self) -> bool:
        return self.checks.names.trace is not None

    def all(self, checks: list[Check], place: Place, rest: Rest, *, leave: bool = False) -> None:
        """All checks of a value by cohorts, then the rest. A stop in the default cohort skips the rest, or leaves."""
        groups = list(cohorts([c for c in checks if occurs(c, update=self.checks.update)]))
        default = groups.pop(0) if groups and not groups[0][0].cohort else []

        def after(place: Place) -> None:
            for group in groups:
                self._cohort(group, place, lambda place: None)
            rest(place)

        self._cohort(default, place, after, leave=leave, last=True)

    def _cohort(
        self, checks: list[Check], place: Place, after: Rest, *, leave: bool = False, last: bool = False
    ) -> None:
        """Writes one cohort, then the code after it unless it stops.

        `last`: no later code reads the children of the value.
        """
        stopping = [c for c in checks if c.short_circuit]

        def others(place: Place) -> None:
            for check in checks:
                if not check.short_circuit and not check.silent:
                    self.checks.check(check, place, _REPORT)
            after(place)

        if not stopping:
            others(place)
        elif not (leave or self.is_traced) and (unset := _only_for_set_values(stopping)):
            rest = [c for c in checks if c is not unset]
            self._stop_or(unset, place, lambda place: self._cohort(rest, place, after, last=last), last)
        elif len(stopping) == 1 and not leave:
            self._stop_or(stopping[0], place, others, last)
        else:
            self._stop_after(stopping, place, others, leave, last)

    def _stop_or(self, check: Check, place: Place, others: Rest, last: bool) -> None:
        """One stopping check, everything else in its other branch."""
        test = check.operation
        if isinstance(test, Predicate) and test.record in _NEGATED and not self.is_traced:
            self.checks.comment(check)
            with self.code.block(f"if {_NEGATED[test.record].format(value=place.value)}:"):
                self._nonempty(lambda: others(replace(place, sure=True)))
        elif isinstance(test, Predicate) and not check.silent:
            self.checks.check(check, place, _REPORT)
            if last and not _fails_for_nothing(test.record):
                with self.code.block():  # where the check has failed
                    self._types_of(place)
            sure = place.sure or test.record is predicates.REQUIRED_POINTER
            self._otherwise(lambda: others(replace(place, sure=sure)))
        else:
            self._stop_after([check], place, others, False, last)

    def _stop_after(self, stopping: list[Check], place: Place, others: Rest, leave: bool, last: bool) -> None:
        """Several stopping checks: all of them run before the stop is decided."""
        self.code.add("stop = False")
        for check in stopping:
            self.checks.check(check, place, _SILENT_STOP if check.silent else _STOP)
        if leave:
            with self.code.block("if stop:"):
                self._types_of(place)
                self.code.add("return errs")
            others(place)
            return
        goes_on = self._otherwise(lambda: others(place), "if not stop:")
        harmless = all(isinstance(c.operation, Predicate) and _fails_for_nothing(c.operation.record) for c in stopping)
        if last and is_deep(place.shape) and not harmless:
            with self.code.block("else:" if goes_on else "if stop:"):
                self._types_of(place)

    def _types_of(self, place: Place) -> None:
        """Checks the types inside a value that no later code reads."""
        if is_deep(place.shape):
            self.code.call(f"{self.checks.names.shape(place.shape)}.demand", [place.value])

    def _otherwise(self, body: Callable[[], None], opening: str = "else:") -> bool:
        """Writes the body as a block, and nothing if it is empty. Returns whether there is a block."""
        start = len(self.code.lines)
        with self.code.block(opening):
            body()
        if all(not line.strip() or line.strip().startswith("#") for line in self.code.lines[start + 1 :]):
            del self.code.lines[start:]
        return len(self.code.lines) > start

    def _nonempty(self, body: Callable[[], None]) -> None:
        """A block must not be empty."""
        count = len(self.code.lines)
        body()
        if not any(line.strip() and not line.strip().startswith("#") for line in self.code.lines[count:]):
            self.code.add("pass")


def _only_for_set_values(stopping: list[Check]) -> Check | None:
    """The check that leaves unset values alone, where the others that stop have nothing to say of such values."""
    unset = [c for c in stopping if c.silent and isinstance(c.operation, Predicate) and c.operation.record in _NEGATED]
    return unset[0] if len(unset) == 1 and all(c is unset[0] or passed_by_zero(c) for c in stopping) else None


def _fails_for_nothing(record: PredicateSpec) -> bool:
    """Returns whether only empty values fail a test."""
    return record.presence in (Presence.REQUIRED, Presence.UNSET)
