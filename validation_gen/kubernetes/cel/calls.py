"""A call as those see it who say what it costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.ranges import PER_CHARACTER, PER_REGEX_CHARACTER, UNKNOWN, Range, exactly
from validation_gen.kubernetes.cel.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """An argument or a target. `declared` asks the schema for the size of what is reached by more steps from here."""

    node: tree.Node
    type: Type
    known_size: Range | None
    declared: Callable[..., Range | None]

    @property
    def size(self) -> Range:
        return self.known_size or UNKNOWN

    @property
    def best_size(self) -> Range:
        """Libraries ask the schema where the language does not."""
        return self.known_size or self.declared() or UNKNOWN

    @property
    def integer(self) -> int | None:
        """The value of a constant."""
        if isinstance(self.node, tree.Literal) and self.node.type is types.INT:
            return self.node.value  # type: ignore[return-value]
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """One overload of a call. A method has its target as the first of `args`, as its declaration has."""

    function: str
    overload: str
    args: Sequence[Argument]


#: What a call costs beside its arguments, and the size of its result if there is something to say about it.
CallCost = tuple[Range, Range | None]
CallEstimator = Callable[[Called], CallCost | None]


def traversed(size: Range) -> Range:
    """The cost of reading each character once."""
    return size.scaled(PER_CHARACTER)


def matched(text: Range, pattern: Range) -> Range:
    """The cost of matching; an empty text is not for nothing."""
    return text.plus(exactly(1)).scaled(PER_CHARACTER).times(pattern.scaled(PER_REGEX_CHARACTER))
