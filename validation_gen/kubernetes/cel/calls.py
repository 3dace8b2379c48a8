"""Description of a call for the cost estimators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.ranges import PER_CHARACTER, PER_REGEX_CHARACTER, UNKNOWN, Range, exactly
from validation_gen.kubernetes.cel.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """An argument or a target. `declared` looks up the size behind further steps in the schema."""

    node: tree.Node
    type: Type
    known_size: Range | None
    declared: Callable[..., Range | None]

    @property
    def size(self) -> Range:
        return self.known_size or UNKNOWN

    @property
    def best_size(self) -> Range:
        """Size that estimators of libraries use: they fall back to the schema, those of the language do not."""
        return self.known_size or self.declared() or UNKNOWN

    @property
    def integer(self) -> int | None:
        """Returns the value of an integer constant, `None` for other nodes."""
        if isinstance(self.node, tree.Literal) and self.node.type is types.INT:
            return self.node.value  # type: ignore[return-value]
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """One overload of a call. A method has its target as the first of `args`, as its declaration has."""

    function: str
    overload: str
    args: Sequence[Argument]


#: Cost of a call without its arguments, and the size of its result if that is known.
CallCost = tuple[Range, Range | None]
CallEstimator = Callable[[Called], CallCost | None]


def traversed(size: Range) -> Range:
    """Returns the cost of reading each character once."""
    return size.scaled(PER_CHARACTER)


def matched(text: Range, pattern: Range) -> Range:
    """Returns the cost of matching; an empty text has a cost, too."""
    return text.plus(exactly(1)).scaled(PER_CHARACTER).times(pattern.scaled(PER_REGEX_CHARACTER))
