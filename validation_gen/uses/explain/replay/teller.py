"""Records the results of single checks: assigns the errors to them, and holds the reason why others are skipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from validation_gen.ir import Check, CustomFunction, Predicate, Presence
from validation_gen.runtime.levels import filter_enforced
from validation_gen.runtime.operation import Operation
from validation_gen.uses.explain.replay.ledger import Ledger
from validation_gen.uses.explain.replay.places import Place
from validation_gen.uses.explain.replay.record import Record, Replay, Skip, Status, Why, is_below
from validation_gen.uses.explain.replay.values import Values


@dataclass(slots=True)
class Teller:
    """Makes the records. `wrong` has the messages for values of the wrong type, by path."""

    values: Values
    ledger: Ledger
    op: Operation
    wrong: Mapping[str, str]
    off: AbstractSet[str] = frozenset()
    replay: Replay = field(default_factory=Replay)
    skip: Skip | None = None

    @contextmanager
    def skipping(self, skip: Skip | None) -> Iterator[None]:
        """Skips everything inside the block for a reason, unless there is one already."""
        before = self.skip
        self.skip = before or skip
        try:
            yield
        finally:
            self.skip = before

    def leaf(self, outer: Check, inner: Check, place: Place, on: str) -> bool:
        """Records one check of one value. Returns whether it stops others."""
        errors = [] if self.skip else self.ledger.take(outer, inner, place.path)
        test = inner.operation if isinstance(inner.operation, Predicate) else None
        record = self._record(outer, place.path, on)
        skip = self.skip or self._wrong(place.path, inner) or self._untrusted(test)
        if enforced := filter_enforced(errors, self.off):
            self._add(replace(record, status=Status.FAILED, errors=tuple(enforced)))
            return True
        if errors:
            skip = Skip(Why.LEVEL, f"{outer.level} rules are not enforced")
            self._add(replace(record, status=Status.SKIPPED, skip=skip))
            return True
        if skip is not None:
            self._add(replace(record, status=Status.SKIPPED, skip=skip))
            return False
        if outer.silent and not outer.short_circuit:
            return False
        if test is not None and self.values.fails(test, place.value, place.old, place.known, self.op):
            if not outer.silent and self.wrong:  # its errors are hidden, as they are about a stand-in
                skip = Skip(Why.WRONG_TYPE, "what it says is about a value of the wrong type")
                self._add(replace(record, status=Status.SKIPPED, skip=skip))
                return True
            self.replay.surprises += not outer.silent
            note = (
                "the value is not set"
                if test.record.presence is Presence.UNSET
                else "it would fail, and is not reported"
            )
            self._add(replace(record, status=Status.STOPS, note=note))
            return True
        if place.value is None and test is not None and not test.record.judges_null:
            skip = Skip(Why.ABSENT, "there is no value", place.path)
            self._add(replace(record, status=Status.SKIPPED, skip=skip))
        else:
            self._add(record)
        return False

    def left_out(self, outer: Check, path: str, on: str, skip: Skip) -> None:
        """Records a check that is skipped as a whole."""
        record = self._record(outer, path, on)
        self._add(replace(record, status=Status.SKIPPED, skip=self.skip or self._wrong(path) or skip))

    def undefined(self, outer: Check, path: str, on: str, option: str) -> bool:
        """Records a check whose option the request does not define. It stops the same checks as a failure."""
        record = self._record(outer, path, on)
        text = f"the request does not define {option}"
        skip = self.skip or self._wrong(path)
        errors = [] if self.skip else self.ledger.take_internal(outer, path)
        if errors:
            self._add(replace(record, status=Status.FAILED, errors=tuple(errors)))
        elif skip is None and outer.silent and outer.short_circuit:
            self._add(replace(record, status=Status.STOPS, note=text))
        else:
            self._add(replace(record, status=Status.SKIPPED, skip=skip or Skip(Why.OPTION, text)))
        return skip is None

    def type_of(self, name: str, path: str, skip: Skip) -> None:
        """Records all rules of a type, which are skipped together."""
        record = Record(path, f"(the rules of {name})", "", f"type {name}", Status.SKIPPED)
        self._add(replace(record, skip=self.skip or self._wrong(path) or skip))

    def _record(self, outer: Check, path: str, on: str) -> Record:
        tag = outer.tag.text or "(no null items)"
        source = str(outer.tag.span)
        return Record(path, tag, source, on, Status.HELD, None, (), outer.level, outer.short_circuit, outer.silent)

    def _add(self, record: Record) -> None:
        self.replay.records.append(record)

    def _untrusted(self, test: Predicate | None) -> Skip | None:
        """Returns a reason if the function of a check was not run."""
        modules = [each.module for each in test.operands if isinstance(each, CustomFunction)] if test else []
        return Skip(Why.UNTRUSTED, "its function is not trusted") if self.off & {*modules} else None

    def _wrong(self, path: str, check: Check | None = None) -> Skip | None:
        """Returns a reason if a value has the wrong type: the value at a path, around it, or in a key."""
        for place, text in self.wrong.items():
            named = f"{place or 'the object'} {text}"
            if is_below(path, place):
                return Skip(Why.WRONG_TYPE, named, place)
            if (
                check is not None
                and any(e.type == "FieldValueDuplicate" for e in check.emits)
                and is_below(place, path)
            ):
                return Skip(Why.WRONG_TYPE, named, place)
        return None
