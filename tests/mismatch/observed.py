"""Outcomes as the harness hands them to observers, for tests that need no validators."""

from __future__ import annotations

from validation_gen.mismatch import series
from validation_gen.mismatch.outcome import Mismatch, Outcome, Side
from validation_gen.runtime.errors import FieldError

#: All series, those of finished runs among them.
SERIES = [each for each in vars(series).values() if isinstance(each, series.Series)]

MISMATCH = Mismatch(Side.DECLARATIVE, FieldError.required("spec.secret", ""), "they differ at spec.secret")


def outcome(
    identifier: str = "widget_create",
    *,
    mismatches: int = 0,
    expected: int = 0,
    panic: BaseException | None = None,
    duplicates: int = 0,
    handwritten: float = 3e-5,
    declarative: float | None = 2e-5,
) -> Outcome:
    """What comes of a request, with that many mismatches and repeated texts."""
    differing, known = [MISMATCH] * mismatches, [MISMATCH] * expected
    repeated = ["spec.secret: Required value"] * duplicates
    return Outcome(
        identifier, "Widget", "/", False, (), (), (), differing, known, panic, repeated, handwritten, declarative
    )
