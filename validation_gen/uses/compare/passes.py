"""Checkpoint of the first of two passes, so that a restarted run resumes from there. The data is validated."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from validation_gen.uses.corpora.keeping import KeptError
from validation_gen.uses.corpora.partitions import Partition

_NAME = re.compile(r"validation-gen-[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class First:
    """Output of the first pass for a partition.

    Attributes:
        ends: end of each bucket in the file of the partition.
        lines: number of lines of each partition that is only a part of its source.
        passed: events that are not compared, by reason.
    """

    ends: list[int]
    lines: dict[int, int]
    passed: dict[str, int]


@dataclass(slots=True)
class Passes:
    """Checkpoint of two passes beside the results.

    Attributes:
        name: the directory with the intermediate files.
        first: output of the first pass, by partition.
        lost: the partitions that could not be read when the second pass began.
    """

    name: str = field(default_factory=lambda: f"validation-gen-{uuid.uuid4().hex}")
    first: dict[int, First] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, beside: dict[str, Any], partitions: Iterable[Partition], buckets: int) -> Passes:
        """Restores the passes from `beside`, and keeps it up to date.

        Raises:
            KeptError: it is damaged.
        """
        known = {each.number for each in partitions}
        try:
            if not beside:
                beside |= {"name": cls().name, "first": {}, "lost": []}
            passes = cls(str(beside["name"]), {}, [int(each) for each in beside["lost"]])
            for number, (ends, lines, passed) in beside["first"].items():
                first = First([int(end) for end in ends], {int(n): int(c) for n, c in lines}, dict(passed))
                is_right = len(ends) == buckets and all(one <= other for one, other in pairwise([0, *first.ends]))
                if not is_right or int(number) not in known or not all(type(each) is int for each in passed.values()):
                    raise ValueError
                passes.first[int(number)] = first
            if not _NAME.fullmatch(passes.name):  # the directory is removed at the end
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise KeptError("it is damaged: its first pass cannot be read") from None
        return passes

    def keep(self, beside: dict[str, Any], number: int, first: First) -> None:
        """Records the output of the first pass for a partition."""
        self.first[number] = first
        beside["first"][str(number)] = [first.ends, [list(pair) for pair in first.lines.items()], first.passed]
