"""Names and meanings of the series, and reports of requests to the log and to observers.

One table serves live metrics, finished runs and dashboards. The first five series have the names and help texts of
Kubernetes, so that its dashboards show them. The help texts lack the stability in brackets that the API server puts in
front.

Mismatches, panics and duplicates go to the log, everything to observers, whose exceptions only reach the log.
Validations have the identifiers of Kubernetes' metrics (tag reference 5.3).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.mismatch.comparison import FAILURES, duplicates
from validation_gen.mismatch.judging import Verdict
from validation_gen.mismatch.outcome import Explanation, Mismatch, Observer, Outcome
from validation_gen.runtime.errors import FieldError

#: Prefix of all series: the same as in Kubernetes.
PREFIX = "apiserver_validation_"

#: The label for the operation and the kind, such as `widget_status_update`.
IDENTIFIER = "validation_identifier"
#: The label for the side, a value of `outcome.Side`.
SIDE = "side"
#: The identifier of requests without their own.
OTHER = "other"
#: Number of identifiers with their own series. An API has some hundreds at most.
MOST_IDENTIFIERS = 1000

_LONGEST = 256
_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]*_|_", re.ASCII)


@dataclass(frozen=True, slots=True)
class Series:
    """A series without its prefix. `type` is that of Prometheus."""

    name: str
    type: str
    help: str
    labels: tuple[str, ...] = ()


MISMATCHES = Series(
    "declarative_validation_mismatch_total",
    "counter",
    "Number of times declarative validation results differed from handwritten validation results for core types.",
)
DISCREPANCIES = Series(
    "declarative_validation_parity_discrepancies_total",
    "counter",
    "Number of discrepancies between declarative and handwritten validation, broken down by validation identifier.",
    (IDENTIFIER,),
)
PANIC = Series(
    "declarative_validation_panic_total",
    "counter",
    "Number of times declarative validation has panicked during validation.",
)
PANICS = Series(
    "declarative_validation_panics_total",
    "counter",
    "Number of panics in declarative validation, broken down by validation identifier.",
    (IDENTIFIER,),
)
DUPLICATES = Series(
    "duplicate_validation_error_total",
    "counter",
    "Number of duplicate validation errors during validation.",
)
EXPECTED = Series(
    "declarative_validation_expected_mismatch_total",
    "counter",
    "Number of differences between declarative and handwritten validation that are declared as expected, broken down "
    "by validation identifier.",
    (IDENTIFIER,),
)
COUNTERS = (MISMATCHES, DISCREPANCIES, PANIC, PANICS, DUPLICATES, EXPECTED)
DURATION = Series(
    "duration_seconds",
    "histogram",
    "Time that a side of validation took for a request, broken down by side and validation identifier.",
    (SIDE, IDENTIFIER),
)

# Series of a finished run over stored objects, beside the counters.

LAST_RUN_TIMESTAMP = Series(
    "last_run_timestamp_seconds", "gauge", "When the last comparison of stored objects ended, in seconds since 1970."
)
LAST_RUN_SUCCESS = Series(
    "last_run_success",
    "gauge",
    "Whether the last comparison of stored objects finished without an unexpected mismatch, 1 or 0.",
)
LAST_RUN_REQUESTS = Series("last_run_requests", "gauge", "Number of requests in the last comparison of stored objects.")
LAST_RUN_UNUSABLE = Series(
    "last_run_unusable_inputs", "gauge", "Number of inputs that the last comparison of stored objects could not use."
)
LAST_RUN_DURATION = Series(
    "last_run_duration_seconds", "gauge", "Time that the last comparison of stored objects took."
)
LAST_RUN_SIDE_DURATION = Series(
    "last_run_side_duration_seconds",
    "gauge",
    "Time that a side of validation took in the last comparison of stored objects.",
    (SIDE,),
)


def check_prefix(prefix: str) -> None:
    """Refuses invalid prefixes of series.

    Raises:
        ValueError: it is not made of ASCII letters, digits and underscores, begins with a digit or ends otherwise
            than with an underscore.
    """
    if _PREFIX.fullmatch(prefix):
        return
    reason = "it has letters, digits and underscores, begins with no digit and ends with an underscore"
    like = re.sub(r"[^A-Za-z0-9_]+", "_", prefix).strip("_").lstrip("0123456789_")
    raise ValueError(f"{prefix!r} is no prefix of series: {reason}, such as {like + '_' if like else PREFIX!r}")


def as_label(identifier: str) -> str:
    """Returns an identifier as the value of a label: `OTHER` for an unusable one.

    Labels take any text, but one that is empty, endless or not printable shows nothing, and one that is not UTF-8 would
    break all other series.
    """
    return identifier if 0 < len(identifier) <= _LONGEST and identifier.isprintable() else OTHER


def validation_identifier(kind: str, subresource: str, *, update: bool) -> str:
    """Returns the identifier of a validation: `widget_status_update` for an update of `/status` of a `Widget`."""
    parts = [kind.lower() or "unknown_resource", *(part for part in subresource.split("/") if part)]
    return "_".join([*parts, "update" if update else "create"])


log = logging.getLogger("validation_gen.mismatch")


class Reporter:
    """Reports the requests of a kind to the log and to observers."""

    def __init__(self, kind: str, observers: Iterable[Observer]) -> None:
        self.kind = kind
        self.observers = tuple(observers)
        self._identifiers: dict[tuple[str, bool], str] = {}

    def mismatch(self, mismatch: Mismatch, explanation: Explanation | None) -> None:
        """Logs the sentence that Kubernetes logs. Why and where is in attributes of the record."""
        extra: dict[str, Any] = {"validation_kind": self.kind, "side": mismatch.side.value}
        if explanation is not None:
            extra |= {
                "cause": explanation.cause.value,
                "explanation": explanation.text,
                "tag": explanation.tag,
                "source": explanation.source,
            }
        log.error("%s", mismatch.message, extra=extra)

    def panic(self, text: str, failure: BaseException) -> None:
        """Logs that declarative validation has failed, and where."""
        trace = (type(failure), failure, failure.__traceback__)
        log.error("%s", text, exc_info=trace, extra={"validation_kind": self.kind})

    def request(
        self,
        subresource: str,
        update: bool,
        handwritten: Sequence[FieldError],
        verdict: Verdict,
        panic: BaseException | None,
        handwritten_seconds: float,
        declarative_seconds: float | None,
    ) -> None:
        """Reports a request after its evaluation."""
        again = duplicates(verdict.answer)
        for text in again:
            log.info("Found duplicate validation error", extra={"validation_kind": self.kind, "error": text})
        if not self.observers:
            return
        outcome = Outcome(
            self._identifiers.get((subresource, update)) or self._identifier(subresource, update),
            self.kind,
            subresource,
            update,
            handwritten,
            verdict.declarative,
            tuple(verdict.answer),
            verdict.unexpected,
            verdict.expected,
            panic,
            again,
            handwritten_seconds,
            declarative_seconds,
        )
        for observer in self.observers:
            try:
                observer.compared(outcome)
            except FAILURES:
                log.exception("An observer of the comparison failed")

    def _identifier(self, subresource: str, update: bool) -> str:
        identifier = validation_identifier(self.kind, subresource, update=update)
        if len(self._identifiers) < MOST_IDENTIFIERS:  # subresources may come from requests
            self._identifiers[subresource, update] = identifier
        return identifier
