"""Reports the requests of one kind: mismatches, panics and duplicates to the log, all of it to observers.

Nothing here decides anything, and exceptions of an observer only reach the log. Validations have the identifiers of
Kubernetes' metrics (tag reference 5.3).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from validation_gen.mismatch.comparison import duplicates
from validation_gen.mismatch.declarative import FAILURES
from validation_gen.mismatch.judging import Verdict
from validation_gen.mismatch.outcome import Explanation, Mismatch, Observer, Outcome
from validation_gen.runtime.errors import FieldError


def validation_identifier(kind: str, subresource: str, *, update: bool) -> str:
    """`Widget`, `/status` and an update are `widget_status_update`."""
    parts = [kind.lower() or "unknown_resource", *(part for part in subresource.split("/") if part)]
    return "_".join([*parts, "update" if update else "create"])


log = logging.getLogger("validation_gen.mismatch")
_MOST_IDENTIFIERS = 1000


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
        if len(self._identifiers) < _MOST_IDENTIFIERS:  # subresources may come from requests
            self._identifiers[subresource, update] = identifier
        return identifier
