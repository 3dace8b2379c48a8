"""Result of one request: the errors of both sides, their differences, and the answer.

This module has data only. `comparison` finds mismatches, `causes` explains them, `judging` decides.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from validation_gen.runtime.errors import FieldError


class Side(str, enum.Enum):
    """The side whose error has no counterpart."""

    HANDWRITTEN = "handwritten"  #: upstream calls such errors "unmatched"
    DECLARATIVE = "declarative"  #: ... and these "extra"


class Cause(str, enum.Enum):
    """Reason why an error has no counterpart; the value is the term in reports."""

    RULE_MISSING = "rule missing"  #: no tag declares it
    RULE_EXTRA = "rule extra"  #: no handwritten check reports it
    RULE_DIFFERS = "rule differs"  #: a tag declares it, and accepts this value
    PATH_DIFFERS = "path differs"  #: the other side reports it elsewhere
    TYPE_DIFFERS = "type differs"  #: the other side reports an error of another type there
    ORIGIN_MISSING = "origin missing"  #: the same, but the handwritten error does not say which rule it is
    ORIGIN_DIFFERS = "origin differs"  #: the same, but the handwritten error names another rule
    SHORT_CIRCUITED = "hidden by a short-circuit"  #: declarative validation stopped before
    RATCHETED = "ratcheted away"  #: declarative validation skips unchanged values on update
    GATED = "gated"  #: a validation option or a feature gate decides, and only one side reads it
    NOT_COVERED = "not marked as covered"  #: the same, but the handwritten error does not say that a tag declares it
    STANDARD = "standard rule"  #: standard rules are not compared, so a covered twin of one has no counterpart
    PANIC = "panic"  #: declarative validation failed before it could answer


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An error of one side that the other does not have. `message` is the sentence that Kubernetes logs about it."""

    side: Side
    error: FieldError
    message: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Cause of a mismatch, and the tag to blame.

    Attributes:
        cause: the reason in one term.
        text: the reason in one sentence.
        tag: the tag to blame in canonical form; `""` when there is none.
        source: location of the tag or of the field; `""` when that is not known.
        counterpart: the error of the other side that comes closest.
    """

    cause: Cause
    text: str
    tag: str = ""
    source: str = ""
    counterpart: FieldError | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one request, as observers get it.

    Attributes:
        identifier: Kubernetes' validation identifier, such as `widget_status_update`.
        kind: the kind of the object, and `subresource` the path below it (`/` is the object itself).
        update: True for an update.
        handwritten: all errors of the handwritten side.
        declarative: all errors of the declarative side, of any level.
        result: the errors in the answer to the request.
        mismatches: unexpected differences between the sides.
        expected: expected differences.
        panic: exception of declarative validation, `None` if it answered.
        duplicates: the texts of errors that are in the result more than once, each once for every repetition.
        handwritten_seconds: duration of the handwritten side.
        declarative_seconds: duration of the declarative side, `None` if it did not run.
    """

    identifier: str
    kind: str
    subresource: str
    update: bool
    handwritten: Sequence[FieldError]
    declarative: Sequence[FieldError]
    result: Sequence[FieldError]
    mismatches: Sequence[Mismatch]
    expected: Sequence[Mismatch]
    panic: BaseException | None
    duplicates: Sequence[str]
    handwritten_seconds: float
    declarative_seconds: float | None


class Observer(Protocol):
    """Observer of requests: metrics, logs, tests."""

    def compared(self, outcome: Outcome) -> None:
        """Called once a request, in the thread of the request. Its exceptions are logged and not raised."""
