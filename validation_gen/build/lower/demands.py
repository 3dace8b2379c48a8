"""Applies the tags of one declaration, each separately, so that one mistake does not hide another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import Check
from validation_gen.rules.base import Context, Deferred, Lowered, RuleError, Target
from validation_gen.rules.registry import apply, in_order
from validation_gen.tags.model import Tag

_MOST_ROUNDS = 10  # upstream's limit; only a rule that defers for ever can reach it


@dataclass(frozen=True, slots=True)
class Demands:
    """Applies tags and finishes deferred work; refusals become diagnostics."""

    diagnostics: Diagnostics

    def of(self, context: Context, tags: Sequence[Tag], place: str) -> Lowered:
        """The checks of a declaration's tags in upstream's order. `place` names it in messages."""
        result = Lowered()
        for tag in in_order(tags):
            try:
                result.add(apply(context, tag))
            except RuleError as error:
                self._report(error, place, tag.span)
        return result

    def resolve(self, deferred: list[Deferred], place: str, span: Span, this: list[Check], parent: list[Check]) -> None:
        """Resolves deferred work in rounds, because its results can be deferred again.

        The checks go to `this` declaration or to the one around it, as each piece of work decides.
        """
        for _ in range(_MOST_ROUNDS):
            following: list[Deferred] = []
            for work in deferred:
                try:
                    result = work.resolve()
                except RuleError as error:
                    self._report(error, place, span)
                    continue
                (this if work.target is Target.THIS else parent).extend(result.checks)
                following += result.deferred
            deferred = following
            if not deferred:
                return
        message = f"deferred validation recursion depth exceeded {_MOST_ROUNDS} for {place}"
        self.diagnostics.error("VG205", message, span)

    def _report(self, error: RuleError, place: str, span: Span) -> None:
        self.diagnostics.error(error.code, f"{place}: {error.message}", error.span or span, error.help)
