"""Results of any part of the input, as numbers and plain data. They merge in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.diagnostics import Diagnostic
from validation_gen.runtime.words import counted
from validation_gen.uses.corpora.codec import decode, encode
from validation_gen.uses.validate.verdicts import FOR_KUSTOMIZE, NO_KIND, State, Verdict

#: A kind by group or API version, and name.
Name = tuple[str, str]


@dataclass(slots=True)
class Block:
    """Findings of a part of the input, in the order of that part."""

    objects: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def moved(self, lines: int) -> Block:
        """Returns the block with shifted line numbers."""
        if not lines:
            return self
        problems = [
            replace(each, span=replace(each.span, line=each.span.line + lines)) if each.span.line else each
            for each in self.problems
        ]
        return Block(self.objects, [each.moved(lines) for each in self.verdicts], problems)


@dataclass(slots=True)
class Results:
    """The results of a validation.

    Attributes:
        blocks: findings, by the number of the part of the input.
        states: the number of objects in each state.
        unjudged: descriptions of the kinds without rules, with the number of their objects.
        kinds: the API versions and names of all objects.
        updates: True if any of the objects has an old one.
        lists: groups and names of objects that look like lists, and `defined` those of definitions among the
            objects.
        cut: True if a part has shown that its file cannot be read in parts.
    """

    blocks: dict[int, Block] = field(default_factory=dict)
    states: Counter[State] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    kinds: set[Name] = field(default_factory=set)
    updates: bool = False
    lists: set[Name] = field(default_factory=set)
    defined: set[Name] = field(default_factory=set)
    cut: bool = False

    @property
    def objects(self) -> int:
        """Number of objects."""
        return sum(self.states.values())

    @property
    def verdicts(self) -> list[Verdict]:
        """Returns the verdicts with findings, and others if they were requested, in the order of input."""
        return [verdict for _, block in sorted(self.blocks.items()) for verdict in block.verdicts]

    @property
    def fails(self) -> bool:
        """True if an object is invalid, or was not validated and should be."""
        return any(verdict.fails for block in self.blocks.values() for verdict in block.verdicts)

    def merge(self, other: Results) -> None:
        """Adds the results of other parts, which must not be used afterwards."""
        self.blocks |= other.blocks
        self.states += other.states
        self.unjudged += other.unjudged
        self.kinds |= other.kinds
        self.updates |= other.updates
        self.lists |= other.lists
        self.defined |= other.defined
        self.cut |= other.cut

    def summary(self) -> str:
        """Returns the number of objects in each state; the first two states always appear."""
        always = (State.VALID, State.INVALID)
        told = [f"{self.states[state]} {state.value}" for state in State if self.states[state] or state in always]
        return f"{counted(self.objects, 'object')}: {', '.join(told)}"

    def tally(self) -> list[str]:
        """Returns a line for each kind that was not validated, with the number of its objects."""
        skipped = (NO_KIND, FOR_KUSTOMIZE) if self.states[State.SKIPPED] else ()
        return [
            f"{'skipped' if name.endswith(skipped) else 'not judged'}: {count} {name}"
            for name, count in sorted(self.unjudged.items())
        ]

    def as_data(self) -> dict[str, Any]:
        """Returns plain data for `of_data`."""
        return encode(self)

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Results:
        """Restores results from `as_data`."""
        return decode(cls, data)
