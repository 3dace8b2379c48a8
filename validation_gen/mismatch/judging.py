"""Evaluates two answers to one request: the errors that count, the differences, and the answer to the caller.

Source of the behaviour: tag reference 5.1 and 5.3. The service library and `validation-gen compare` both call `judge`,
so that they always agree. Nothing here runs a validator, reports, or reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from validation_gen.mismatch.comparison import Comparison, is_of_shape, without_superseded
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION
from validation_gen.mismatch.outcome import Mismatch
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.levels import Level, filter_enforced

#: Returns whether a mismatch is expected now.
Expects = Callable[[Mismatch], object]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Evaluation of two answers.

    Attributes:
        answer: the errors in the answer to the request.
        declarative: the declarative errors that count, of any level. A panic leaves one at most.
        compared: those of them that took part in the comparison.
        mismatches: the differences between the sides.
        unexpected: the unexpected mismatches, and `expected` the others.
        panic: description of a failure of declarative validation, `""` if it answered.
        failure: exception of the comparison, `None` if it succeeded. The answer does not depend on it.
    """

    answer: Sequence[FieldError] = ()
    declarative: Sequence[FieldError] = ()
    compared: Sequence[FieldError] = ()
    mismatches: Sequence[Mismatch] = ()
    unexpected: Sequence[Mismatch] = ()
    expected: Sequence[Mismatch] = ()
    panic: str = ""
    failure: Exception | None = None


_AGREED = Verdict()


def is_asked(states: Mapping[str, bool], *, all_enforced: bool = False) -> bool:
    """Returns whether declarative validation takes part at all."""
    return all_enforced or states.get(VALIDATION, True)


def judge(
    handwritten: Sequence[FieldError],
    declarative: Sequence[FieldError],
    comparison: Comparison,
    states: Mapping[str, bool],
    expects: Expects = lambda mismatch: False,
    *,
    panicked: bool = False,
    all_enforced: bool = False,
) -> Verdict:
    """Evaluates the answers of both sides to one request.

    Args:
        handwritten: all errors of the handwritten side.
        declarative: all errors of the declarative side.
        comparison: comparison of errors. With `everything` gates are ignored, and the handwritten side answers.
        states: the gates of one moment.
        expects: returns whether a mismatch is expected.
        panicked: True if declarative validation has failed; a mark identifies the error about that.
        all_enforced: True if all declarative errors count, and no handwritten one that is covered.
    """
    if not handwritten and not declarative:
        return _AGREED
    panic = next((error.detail for error in declarative if Mark.PANIC in error.marks), "") if panicked else ""
    if not is_asked(states, all_enforced=all_enforced):
        return Verdict(list(handwritten), panic=panic)
    beta = states.get(BETA, False)
    takeover = comparison.one_to_many and states.get(TAKEOVER, False)
    if panicked and not comparison.everything:
        is_contained = comparison.one_to_many and not takeover and not all_enforced
        declarative = () if is_contained else [FieldError.internal(None, panic)]  # others are lost, as in Kubernetes
    compared = _select_compared(declarative, comparison)
    mismatches: Sequence[Mismatch] = ()
    unexpected: list[Mismatch] = []
    expected: list[Mismatch] = []
    failure = None
    try:
        mismatches = comparison.mismatches(handwritten, compared, enforced=beta or takeover)
        for mismatch in mismatches:
            (expected if expects(mismatch) else unexpected).append(mismatch)
    except Exception as error:  # values of errors come from user code
        failure = error
    answer = _answer(handwritten, declarative, comparison, beta=beta, takeover=takeover, all_enforced=all_enforced)
    return Verdict(answer, declarative, compared, mismatches, unexpected, expected, panic, failure)


def _select_compared(declarative: Sequence[FieldError], comparison: Comparison) -> Sequence[FieldError]:
    """Returns the declarative errors to compare: since 1.36 those of rules with a level, in 1.35 those of all rules."""
    if comparison.everything:
        return declarative
    if comparison.one_to_many:
        return [error for error in declarative if not is_of_shape(error)]
    return [error for error in declarative if error.level]


def _answer(
    handwritten: Sequence[FieldError],
    declarative: Sequence[FieldError],
    comparison: Comparison,
    *,
    beta: bool,
    takeover: bool,
    all_enforced: bool,
) -> list[FieldError]:
    """Returns the errors of the answer: chosen rule by rule since 1.36, all from one side in older releases."""
    if all_enforced or not (comparison.one_to_many or comparison.everything):
        level = Level.ALPHA if all_enforced else Level.BETA if beta else Level.STANDARD
        enforced = filter_enforced(declarative, level.hidden)
        return without_superseded(handwritten, enforced, comparison.matcher, everything=all_enforced) + enforced
    if takeover:
        return [error for error in handwritten if Mark.COVERED not in error.marks] + list(declarative)
    return list(handwritten)
