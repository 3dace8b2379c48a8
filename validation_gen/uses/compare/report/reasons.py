"""Explains the causes of mismatches and their remedies, for readers of reports and for machines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from validation_gen.mismatch.outcome import Cause


@dataclass(frozen=True, slots=True)
class Reason:
    """A cause in words: `means` is one sentence, `help` is the remedy."""

    means: str
    help: str

    @property
    def full(self) -> str:
        return f"{self.means} {self.help}"


REASONS: dict[Cause, Reason] = {
    Cause.RULE_MISSING: Reason(
        "A handwritten check refuses what no tag forbids.",
        "Declare the rule by a tag, or take away the mark that says a tag covers the check.",
    ),
    Cause.RULE_EXTRA: Reason(
        "A tag forbids what no handwritten check refuses.",
        "Remove the tag or loosen it, or add the check; objects that are stored already could become invalid.",
    ),
    Cause.RULE_DIFFERS: Reason(
        "A tag declares the rule, but it accepts this value.",
        "Compare the limits and the formats of both: often one counts characters and the other bytes.",
    ),
    Cause.PATH_DIFFERS: Reason(
        "Both sides refuse the value, but they name different paths.",
        "Change the path in the handwritten check, or declare a normalization rule for it.",
    ),
    Cause.TYPE_DIFFERS: Reason(
        "Both sides refuse the value with errors of different types.",
        "Give the handwritten error the type that the tag gives.",
    ),
    Cause.ORIGIN_MISSING: Reason(
        "Both sides refuse the value, but the handwritten error does not say which rule it is.",
        "Add the origin to the handwritten error.",
    ),
    Cause.ORIGIN_DIFFERS: Reason(
        "Both sides refuse the value, but the handwritten error names another rule.",
        "Correct the origin of the handwritten error.",
    ),
    Cause.SHORT_CIRCUITED: Reason(
        "Declarative validation stopped at an earlier error, so it has not come to this one.",
        "Mark the handwritten error as short-circuited, or allow short-circuits in the comparison.",
    ),
    Cause.RATCHETED: Reason(
        "Declarative validation skips what an update leaves as it was; the handwritten check does not.",
        "Let the handwritten check compare with the old object, or expect the difference.",
    ),
    Cause.GATED: Reason(
        "A validation option or a feature gate decides about the rule, and only one side asks it.",
        "Ask the same option on both sides.",
    ),
    Cause.NOT_COVERED: Reason(
        "Both sides report the same error, but the handwritten one does not say that a tag declares it.",
        "Mark the handwritten error as covered.",
    ),
    Cause.STANDARD: Reason(
        "Standard rules are always enforced and not compared, so a handwritten twin that is marked has no counterpart.",
        "Remove the handwritten check, which only repeats the error.",
    ),
    Cause.PANIC: Reason(
        "Declarative validation failed before it could answer.",
        "Repeat the request to see the failure, and report it if a generated validator is at fault.",
    ),
}


def reason(cause: str) -> Reason:
    """Returns the explanation of a cause; it is empty for a cause of a newer version."""
    return REASONS[Cause(cause)] if cause in {each.value for each in Cause} else Reason("", "")


def slug(cause: str) -> str:
    """Returns a cause as an identifier: `rule-missing`."""
    return re.sub(r"[^a-z0-9]+", "-", cause.lower()).strip("-") or "other"
