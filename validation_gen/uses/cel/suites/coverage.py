"""Coverage of rules by cases: a rule has to hold once and to fail once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validation_gen.diagnostics import Span
from validation_gen.kubernetes.objects.watching import place_of
from validation_gen.uses.cel.suites.subjects import FIELD, Subject


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and its observed results. It is covered if it was seen to hold and to fail."""

    kind: str
    place: str
    index: int
    text: str
    span: Span
    held: int
    failed: int

    @property
    def state(self) -> str:
        if self.held and self.failed:
            return "covered"
        return "never false" if self.held else "never true" if self.failed else "never seen"


@dataclass(frozen=True, slots=True)
class Coverage:
    """All tested rules, and the required share of covered ones; None if there is no requirement."""

    rules: tuple[Rule, ...] = ()
    least: float | None = None

    @staticmethod
    def of(subjects: Iterable[Subject], least: float | None = None) -> Coverage:
        return Coverage(tuple(rule for subject in subjects for rule in _rules(subject)), least)

    @property
    def covered(self) -> list[Rule]:
        return [rule for rule in self.rules if rule.state == "covered"]

    @property
    def missing(self) -> list[Rule]:
        return [rule for rule in self.rules if rule.state != "covered"]

    @property
    def percent(self) -> float:
        """Share of covered rules, 100 without rules."""
        return 100 * len(self.covered) / len(self.rules) if self.rules else 100.0

    @property
    def fails(self) -> bool:
        return self.least is not None and self.percent < self.least


def _rules(subject: Subject) -> Iterable[Rule]:
    version = subject.kind.versions[subject.version]
    kind = "" if subject.own is not None else f"{version.api_version} {subject.kind.kind}"
    for seen in subject.seen:
        index = seen.keys[-1]
        assert isinstance(index, int), "rules are in lists"
        place = place_of(seen.keys)
        if subject.own is not None:
            place = place.removeprefix(f".{FIELD}")
        span = subject.span((*seen.keys, "rule"))
        yield Rule(kind, place, index, seen.rule.strip(), span, seen.held, seen.failed)
