"""Results of a comparison so far: counts, groups of alike mismatches with the smallest example of each.

Results of parts of the work are merged, so their size depends on the number of rules and not on that of objects. A
total order selects the kept examples and notes, never the order of arrival: the outcome does not depend on the division
of the work or on the order of merging. This module writes no files; `report` does.
"""

from __future__ import annotations

import json
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from operator import itemgetter
from typing import Any

from validation_gen.commands.compare.groups import MOST_WHOLE, NOWHERE, Example, Group, Key, Order, Rank, Sort

#: Version of the JSON in reports, state files and histories. It changes with the meaning of a name.
FORMAT = 1
_MOST_GROUPS = 5000
_MOST_NOTES = 100

#: Kind, path, type, origin, tag and source of a rule.
RuleKey = tuple[str, str, str, str, str, str]


@dataclass(slots=True)
class Tally:
    """Requests of one kind and operation.

    `invalid`: the agreeing requests that both sides refuse. The others are counted as in Kubernetes' metrics: errors
    without a counterpart (`expected` has the expected ones), requests for which declarative validation failed, errors
    that are repeated in one answer.
    """

    agreeing: int = 0
    differing: int = 0
    invalid: int = 0
    mismatches: int = 0
    expected: int = 0
    panics: int = 0
    duplicates: int = 0


@dataclass(frozen=True, slots=True, order=True)
class RuleUse:
    """A declared rule and the number of requests that broke it: those with 0 were not exercised."""

    kind: str
    path: str
    type: str
    origin: str
    tag: str
    source: str
    count: int = 0

    @property
    def key(self) -> RuleKey:
        """All attributes but the count."""
        return self.kind, self.path, self.type, self.origin, self.tag, self.source


@dataclass(slots=True)
class Results:
    """The merged results of a comparison.

    Attributes:
        tallies: requests by kind and operation, both as in `Sort`.
        groups: mismatches by their common attributes, and by the reason why they are expected.
        rules: every declared rule of the compared kinds, with its use.
        bad: the number of inputs that could not be compared: malformed lines, unknown kinds, objects that the types
            do not decode, and requests that a side did not answer. `notes` has messages for the first of them.
        seconds: duration; `handwritten_seconds` and `declarative_seconds` are the shares of each side.
        interrupted: True if it was stopped before the end.
        about: configuration for the head of reports: `paths`, `handwritten`, `objects`, `target`, `settings`,
            `seed` …
        defaulted: the validation options that neither some requests nor the settings set.
        ungrouped: mismatches beyond the limit on groups: these are only counted.
    """

    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    groups: dict[tuple[Sort, str], Group] = field(default_factory=dict)
    rules: list[RuleUse] = field(default_factory=list)
    bad: int = 0
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    handwritten_seconds: float = 0.0
    declarative_seconds: float = 0.0
    interrupted: bool = False
    about: dict[str, str] = field(default_factory=dict)
    defaulted: list[str] = field(default_factory=list)
    ungrouped: int = 0
    _orders: list[Order] = field(default_factory=list, repr=False, compare=False)  # of the first notes
    _keys: list[Key] = field(default_factory=list, repr=False, compare=False)  # of the groups, sorted

    @property
    def compared(self) -> int:
        return sum(tally.agreeing + tally.differing for tally in self.tallies.values())

    @property
    def agreeing(self) -> int:
        return sum(tally.agreeing for tally in self.tallies.values())

    @property
    def panics(self) -> int:
        return sum(tally.panics for tally in self.tallies.values())

    @property
    def mismatches(self) -> int:
        """Number of unexpected differences. Two errors that belong together are one difference."""
        return self.ungrouped + sum(group.count for group in self.groups.values() if not group.expected)

    def unexpected(self) -> list[Group]:
        """Returns the groups that are not expected, most frequent first."""
        return sorted((g for g in self.groups.values() if not g.expected), key=lambda g: (-g.count, g.sort, g.expected))

    def expected(self) -> list[Group]:
        """Returns the expected groups, most frequent first."""
        return sorted((g for g in self.groups.values() if g.expected), key=lambda g: (-g.count, g.sort, g.expected))

    def note(self, text: str, order: Order = NOWHERE) -> None:
        """Counts an input that could not be compared."""
        self.bad += 1
        if len(self.notes) < _MOST_NOTES or order < self._orders[-1]:
            self._add_notes([(order, text)])

    def merge(self, other: Results) -> None:
        """Adds the results of another part of the work, which must not be used afterwards."""
        for key, tally in other.tallies.items():
            mine = self.tallies.setdefault(key, Tally())
            for name in Tally.__dataclass_fields__:
                setattr(mine, name, getattr(mine, name) + getattr(tally, name))
        for group in other.groups.values():
            self.add_group(group)
        self.add_uses(other.rules)
        self.defaulted = sorted({*self.defaulted, *other.defaulted})
        self.ungrouped += other.ungrouped
        self.bad += other.bad
        self._add_notes(other.ordered_notes())
        self.handwritten_seconds += other.handwritten_seconds
        self.declarative_seconds += other.declarative_seconds

    @property
    def limits(self) -> list[str]:
        """Returns the notes without a single input: skipped, unpaired and hidden items."""
        return self.notes[min(self.bad, _MOST_NOTES) :]

    def ordered_notes(self) -> list[tuple[Order, str]]:
        """Returns the notes with the positions of their inputs."""
        return list(zip([*self._orders, *[NOWHERE] * len(self.notes)], self.notes, strict=False))

    def _add_notes(self, more: list[tuple[Order, str]]) -> None:
        if more:
            kept = sorted([*self.ordered_notes(), *more], key=itemgetter(0))[:_MOST_NOTES]
            self._orders, self.notes = [order for order, _ in kept], [text for _, text in kept]

    def add_group(self, group: Group) -> None:
        """Adds mismatches. Keeps the better example; of two equally good examples, the earlier one."""
        mine = self.groups.get((group.sort, group.expected))
        if mine is not None:
            mine.merge(group)
        elif self._is_kept(group.key):
            self._keep(group)
        elif not group.expected:
            self.ungrouped += group.count

    def add_mismatch(
        self, sort: Sort, expected: str, rank: Rank, example: Callable[[], Example], order: Order = NOWHERE
    ) -> None:
        """Adds one mismatch. The example, which has this rank, is built only if it is kept."""
        mine = self.groups.get((sort, expected))
        if mine is not None:
            mine.count += 1
            mine.offer(rank, order, example)
        elif self._is_kept((expected, sort)):
            self._keep(Group(sort, 1, example(), expected, order=order))
        elif not expected:
            self.ungrouped += 1

    def _is_kept(self, key: Key) -> bool:
        """Returns whether a new group is among the first ones by key, which are the only ones that are kept.

        Parts of the work can do so on their own: the first groups of all parts are among the first of each part.
        """
        self._sort()
        return len(self._keys) < _MOST_GROUPS or key < self._keys[-1]

    def _keep(self, group: Group) -> None:
        keys = self._keys
        place = bisect_left(keys, group.key)
        insort(keys, group.key)
        self.groups[group.sort, group.expected] = group
        if place >= MOST_WHOLE:
            group.shorten()
        elif len(keys) > MOST_WHOLE:
            expected, sort = keys[MOST_WHOLE]
            self.groups[sort, expected].shorten()
        if len(keys) > _MOST_GROUPS:
            expected, sort = keys.pop()
            last = self.groups.pop((sort, expected))
            self.ungrouped += 0 if expected else last.count

    def _sort(self) -> None:
        if len(self._keys) != len(self.groups):  # groups were added from outside
            self._keys = sorted(group.key for group in self.groups.values())

    def merge_operations(self) -> None:
        """Merges groups that differ only in their operation; the merged one lists the operations."""
        merged: dict[tuple[Sort, str], Group] = {}
        for (sort, expected), group in sorted(self.groups.items(), key=itemgetter(0)):
            mine = merged.setdefault((replace(sort, operation=""), expected), group)
            if mine is not group:
                operations = ", ".join(dict.fromkeys([*mine.sort.operation.split(", "), sort.operation]))
                mine.sort = replace(mine.sort, operation=operations)
                mine.merge(group)
        self.groups = {(group.sort, group.expected): group for group in merged.values()}
        self._keys = []

    def add_uses(self, rules: Iterable[RuleUse]) -> None:
        """Adds the counts of rules."""
        counts: Counter[RuleKey] = Counter()
        for rule in (*self.rules, *rules):
            counts[rule.key] += rule.count
        self.rules = sorted(RuleUse(*key, count=count) for key, count in counts.items())

    # --- JSON ---------------------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """Serialises the results as JSON-ready data for `from_json`."""
        return {
            "format": FORMAT,
            "about": self.about,
            "totals": {
                "compared": self.compared,
                "agreeing": self.agreeing,
                "differing": self.compared - self.agreeing,
                "mismatches": self.mismatches,
                "expected": sum(group.count for group in self.expected()),
                "bad": self.bad,
                "panics": self.panics,
                "rules": len(self.rules),
                "exercised": sum(1 for rule in self.rules if rule.count),
            },
            "seconds": round(self.seconds, 3),
            "handwrittenSeconds": round(self.handwritten_seconds, 6),
            "declarativeSeconds": round(self.declarative_seconds, 6),
            "interrupted": self.interrupted,
            "ungrouped": self.ungrouped,
            "defaultedOptions": self.defaulted,
            "kinds": [
                {"kind": kind, "operation": operation, **asdict(tally)}
                for (kind, operation), tally in sorted(self.tallies.items())
            ],
            "mismatches": [_group(group) for group in (*self.unexpected(), *self.expected())],
            "rules": [asdict(rule) for rule in self.rules],
            "notes": self.notes,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Results:
        """Restores results from `as_json`.

        Raises:
            ValueError: the data is of another format.
        """
        if data.get("format") != FORMAT:
            raise ValueError(f"format {FORMAT} is expected, not {json.dumps(data.get('format'))}")
        results = cls(
            notes=list(data["notes"]),
            bad=data["totals"]["bad"],
            seconds=data["seconds"],
            handwritten_seconds=data["handwrittenSeconds"],
            declarative_seconds=data["declarativeSeconds"],
            interrupted=data["interrupted"],
            about=dict(data["about"]),
            defaulted=list(data["defaultedOptions"]),
            ungrouped=data.get("ungrouped", 0),
            rules=[RuleUse(**rule) for rule in data["rules"]],
        )
        for row in data["kinds"]:
            results.tallies[row["kind"], row["operation"]] = Tally(*(row[name] for name in Tally.__dataclass_fields__))
        for row in data["mismatches"]:
            sort = Sort(**{name: row[name] for name in Sort.__dataclass_fields__})
            group = Group(sort, row["count"], Example(**row["example"]), row["expected"])
            excerpt = row["excerpt"]
            group.file, group.excerpt_line, group.excerpt = excerpt["file"], excerpt["line"], list(excerpt["lines"])
            results.groups[sort, group.expected] = group
        return results

    def as_data(self) -> dict[str, Any]:
        """Serialises all of the results as plain data, including fields that only merging needs."""
        groups = (*self.unexpected(), *self.expected())
        return {
            "results": self.as_json(),
            "orders": [list(order) for order, _ in self.ordered_notes()],
            "groups": [[*group.order, *group.rank, group.brief] for group in groups],
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Results:
        """Restores results from `as_data`.

        Raises:
            ValueError: the data is of another format.
        """
        results = cls.from_json(data["results"])
        results._orders = [(int(partition), int(number)) for partition, number in data["orders"]]
        for group, (partition, number, errors, size, is_brief) in zip(
            results.groups.values(), data["groups"], strict=True
        ):
            group.order, group.brief, group._rank = (int(partition), int(number)), bool(is_brief), (errors, size)
        return results


def _group(group: Group) -> dict[str, Any]:
    return {
        **asdict(group.sort),
        "count": group.count,
        "expected": group.expected,
        # Not `asdict`: it would copy the objects, level by level on the interpreter's stack.
        "example": {name: getattr(group.example, name) for name in Example.__dataclass_fields__},
        "excerpt": {"file": group.file, "line": group.excerpt_line, "lines": group.excerpt},
    }
