"""Groups of alike mismatches, each with the smallest example. The other examples are dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.mismatch.expected import general_path
from validation_gen.runtime.gotext import go_json
from validation_gen.uses.compare.answers import LONGEST_BRIEF, MOST_BRIEF, cut, shorter

#: Quality of an example; a smaller value is better.
Rank = tuple[int, int]
#: Position in the input: the number of the partition, and that of the item in it.
Order = tuple[int, int]
#: Sort key: groups that count come first, then the common attributes decide.
Key = tuple[str, "Sort"]

NOWHERE: Order = (1 << 62, 0)  # after all input


@dataclass(frozen=True, slots=True, order=True)
class Sort:
    """Common attributes of alike mismatches.

    Attributes:
        kind: `apiVersion/Kind`, or `import/path.Kind` for types that no object names.
        operation: `create` or `update`, followed by the subresource if there is one: `update /status`. In the end
            there may be several, separated by commas.
        side: side of the error, a value of `mismatch.Side`; `both` for two errors that differ in their path, type
            or origin only.
        cause: a value of `mismatch.Cause`.
        path: the path of the error with `[*]` for every index and key.
        type: the type of the error, such as `FieldValueInvalid`.
        origin: the origin of the error, often empty.
        tag: the tag to blame in canonical form, `""` when there is none.
        source: location of that tag or of the field (`import/path/file.go:LINE:COLUMN`), `""` if unknown.
    """

    kind: str
    operation: str
    side: str
    cause: str
    path: str
    type: str
    origin: str
    tag: str
    source: str


@dataclass(slots=True)
class Example:
    """One request that shows a mismatch, with both answers as lists of errors in the terms of the line protocol.

    `more` is the number of errors by side that an answer has and the example does not show.
    """

    obj: Any
    old: Any
    options: dict[str, bool]
    place: str
    handwritten: list[dict[str, Any]]
    declarative: list[dict[str, Any]]
    message: str
    text: str
    request: dict[str, Any] = field(default_factory=dict)
    more: dict[str, int] = field(default_factory=dict)

    @property
    def rank(self) -> Rank:
        """Rank of the example, smaller is better: first the number of other errors, which distract, then the size."""
        count = len(self.handwritten) + len(self.declarative) + sum(self.more.values())
        return count, size_of(self.obj, self.old)


def size_of(obj: Any, old: Any) -> int:
    """Returns the number of characters of both objects as JSON."""
    return len(go_json(obj)) + (len(go_json(old)) if old is not None else 0)


@dataclass(slots=True)
class Group:
    """Alike mismatches: their number, and the smallest example.

    `order` is the position of the example in the input. `expected` is the reason why they are expected, `""` if they
    are not; expected groups do not count as mismatches. `file` is the position to blame on disk
    (`apis/v1/types.go:12:5`), `""` if unknown. `excerpt` are the lines of the source around the tag to blame,
    `excerpt_line` the number of the first of them.
    """

    sort: Sort
    count: int
    example: Example
    expected: str = ""
    excerpt: list[str] = field(default_factory=list)
    excerpt_line: int = 0
    file: str = ""
    brief: bool = False
    order: Order = NOWHERE
    _rank: Rank | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def key(self) -> Key:
        return self.expected, self.sort

    def shorten(self) -> None:
        """Limits the errors of the example from now on, as there are many groups."""
        if not self.brief:
            rank = self.rank
            self.brief, self._rank = True, rank
            self.example = brief(self.example, self.sort)

    def offer(self, rank: Rank, order: Order, example: Callable[[], Example], *, is_brief: bool = False) -> None:
        """Takes an example of this rank if it is better. Of two equal ones, the one that was read first is kept."""
        if (rank, order) < (self.rank, self.order):
            short = self.brief
            self.example, self._rank, self.order, self.brief = example(), rank, order, is_brief
            if short:
                self.shorten()

    @property
    def rank(self) -> Rank:
        """The rank of the example."""
        if self._rank is None:
            self._rank = self.example.rank
        return self._rank


def brief(example: Example, sort: Sort) -> Example:
    """Returns the example with the few errors of each side that are most like its mismatch."""
    more = dict(example.more)
    shown: dict[str, Any] = {}
    for side in ("handwritten", "declarative"):
        errors: list[dict[str, Any]] = getattr(example, side)
        if len(errors) > MOST_BRIEF:
            more[side] = more.get(side, 0) + len(errors) - MOST_BRIEF
            errors = sorted(errors, key=lambda error: _unlikeness(error, sort))[:MOST_BRIEF]
        shown[side] = [shorter(error) for error in errors]
    return replace(
        example,
        **shown,
        more=more,
        message=cut(example.message, LONGEST_BRIEF),
        text=cut(example.text, 2 * LONGEST_BRIEF),
    )


def _unlikeness(error: dict[str, Any], sort: Sort) -> tuple[bool, bool, bool]:
    return (
        general_path(str(error.get("field", ""))) != sort.path,
        error.get("type") != sort.type,
        error.get("origin", "") != sort.origin,
    )
