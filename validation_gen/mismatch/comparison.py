"""In what the errors of two sides differ. Source of the behaviour: tag reference 5.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from validation_gen.mismatch.gates import BETA, TAKEOVER
from validation_gen.mismatch.matcher import ErrorMatcher, NormalizationRule
from validation_gen.mismatch.outcome import Mismatch, Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

_AUTHORITATIVE = "This difference should not affect system operation since hand written validation is authoritative."
_CONSIDER = (
    "Consider disabling the {} feature gate to keep data persisted in etcd consistent with prior versions of "
    "Kubernetes."
)
_EXACT = ErrorMatcher().exactly()
_UNKNOWN = frozenset({Mark.ANY_TYPE, Mark.ANY_ORIGIN, Mark.ANY_FIELD})


@dataclass(frozen=True, slots=True)
class Comparison:
    """How errors are compared.

    Attributes:
        normalization: how paths of the declarative side become those of the handwritten one.
        short_circuit: whether a declarative error that stopped all checks below its field stands for any handwritten
            error there.
        everything: whether all handwritten errors need a counterpart, and not only those that are marked as covered.
        one_to_many: how releases up to 1.35 compare: a declarative error is the counterpart of one handwritten error
            only, and only exact duplicates of handwritten errors count once.
    """

    normalization: tuple[NormalizationRule, ...] = ()
    short_circuit: bool = False
    everything: bool = False
    one_to_many: bool = False
    matcher: ErrorMatcher = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        matcher = ErrorMatcher().by_type().by_origin().require_origin_when_invalid()
        object.__setattr__(self, "matcher", matcher.by_field_normalized(self.normalization))

    def mismatches(
        self, handwritten: Sequence[FieldError], declarative: Sequence[FieldError], *, enforced: bool = False
    ) -> list[Mismatch]:
        """The errors of either side that have no counterpart, the handwritten ones first.

        `enforced` says whether declarative errors can be authoritative now: messages give advice accordingly.
        """
        if not handwritten and not declarative:
            return []
        matches = self.matcher.matches
        ancestors = self.matcher.match_ancestor_short_circuit().matches if self.short_circuit else None
        found: list[Mismatch] = []
        left = list(declarative)
        ticked: set[int] = set()
        for error in self._once(handwritten):
            if not self.everything and Mark.COVERED not in error.marks:
                continue
            counterparts = [each for each in left if matches(error, each)]
            ticked.update(map(id, counterparts))
            if self.one_to_many:
                left = [each for each in left if id(each) not in ticked]
            if not counterparts and not (ancestors and any(ancestors(error, each) for each in declarative)):
                found.append(Mismatch(Side.HANDWRITTEN, error, self._message("unmatched", error, enforced)))
        extra = [error for error in declarative if id(error) not in ticked]
        return found + [Mismatch(Side.DECLARATIVE, e, self._message("extra", e, enforced)) for e in extra]

    def _once(self, errors: Sequence[FieldError]) -> Sequence[FieldError]:
        """The errors without those that are there before: handwritten code happens to check twice."""
        if len(errors) < 2:
            return errors
        same = _EXACT.matches if self.one_to_many else self.matcher.matches
        found: list[FieldError] = []
        for error in errors:
            # The first of them stands for all, be it marked as covered or not. Of errors that do not tell everything,
            # those with different texts are different ones.
            alike = same if _UNKNOWN.isdisjoint(error.marks) else _EXACT.matches
            if not any(each.marks & _UNKNOWN == error.marks & _UNKNOWN and alike(each, error) for each in found):
                found.append(error)
        return found

    def _message(self, what: str, error: FieldError, enforced: bool) -> str:
        advice = _AUTHORITATIVE
        if enforced and (self.one_to_many or error.level != "alpha"):
            advice = _CONSIDER.format(TAKEOVER if self.one_to_many else BETA)
        return (
            "Unexpected difference between hand written validation and declarative validation error results, "
            f"{what} error(s) found {self.matcher.render(error)}. "
            f"This indicates an issue with declarative validation. {advice}"
        )


# --- what a request is answered with ----------------------------------------------------------------------------------


def is_of_shape(error: FieldError) -> bool:
    """Whether an error says that a value does not decode. Kubernetes refuses such requests before any validation."""
    return error.type is ErrorType.TYPE_INVALID and not error.tag


def enforced_errors(declarative: Sequence[FieldError], *, beta: bool, everything: bool = False) -> list[FieldError]:
    """The declarative errors that count since 1.36: internal and standard ones, and those of beta rules if `beta`."""
    return [
        error
        for error in declarative
        if everything or error.type is ErrorType.INTERNAL or (beta if error.level == "beta" else error.level != "alpha")
    ]


def without_superseded(
    handwritten: Sequence[FieldError],
    enforced: Sequence[FieldError],
    matcher: ErrorMatcher,
    *,
    everything: bool = False,
) -> list[FieldError]:
    """The handwritten errors that count since 1.36: without covered ones that an enforced beta error stands for.

    Of errors with the same text the first counts, and it alone is looked at.
    """
    betas = [error for error in enforced if error.level == "beta"]

    def is_superseded(error: FieldError) -> bool:
        return Mark.COVERED in error.marks and (everything or any(matcher.matches(error, each) for each in betas))

    first: dict[str, FieldError] = {}
    for error in handwritten:
        first.setdefault(str(error), error)
    return [error for error in first.values() if not is_superseded(error)]


def duplicates(errors: Sequence[FieldError]) -> list[str]:
    """The texts of errors that are there before, one for each repetition."""
    if len(errors) < 2:
        return []
    seen: set[str] = set()
    again: list[str] = []
    for text in map(str, errors):
        if text in seen:
            again.append(text)
        seen.add(text)
    return again
