"""Counts requests and verdicts for Prometheus. Only this module needs `prometheus-client`.

Labels have few values: paths of endpoints, statuses, and a limited number of kinds and rules. No label has a part of an
object.
"""

from __future__ import annotations

from collections.abc import Collection

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram

from validation_gen.mismatch.series import OTHER, Series, as_label, check_prefix
from validation_gen.webhooks.logs import RequestRecord

PREFIX = "validation_gen_webhook_"
#: Upper bounds of durations in seconds, and of bodies in bytes.
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
BYTES = (1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 3 << 20)
#: Greatest number of kinds, and of rules of each, with series of their own.
MOST_KINDS, MOST_RULES = 500, 200

REQUESTS = Series(
    "requests_total", "counter", "Number of requests, broken down by path and HTTP status.", ("path", "code")
)
DURATION = Series(
    "request_duration_seconds", "histogram", "Time from the head of a request to its answer, by path.", ("path",)
)
IN_FLIGHT = Series("requests_in_flight", "gauge", "Number of requests that are answered now.")
BODY = Series("request_body_bytes", "histogram", "Sizes of the bodies of requests, by path.", ("path",))
VERDICTS = Series(
    "verdicts_total",
    "counter",
    "Number of answers, broken down by path, kind and verdict: allowed, refused, or failed where it is our fault.",
    ("path", "kind", "verdict"),
)
RULES = Series(
    "refusals_total",
    "counter",
    "Number of refusals, broken down by kind and by each rule that failed.",
    ("kind", "rule"),
)
WARNINGS = Series(
    "warnings_total",
    "counter",
    "Number of requests whose user was warned and not refused, broken down by kind and by each rule that failed.",
    ("kind", "rule"),
)
#: All series.
SERIES = (REQUESTS, DURATION, IN_FLIGHT, BODY, VERDICTS, RULES, WARNINGS)


class Metrics:
    """Counts requests. It is an observer of `Webhook`.

    Args:
        kinds: the kinds with series of their own; None for the first ones that occur.
        registry: where the series are registered, by default the registry of the process.
        prefix: prefix of their names.

    Raises:
        ValueError: the prefix is invalid, or the registry has series of these names.
    """

    def __init__(
        self, kinds: Collection[str] | None = None, registry: CollectorRegistry | None = None, prefix: str = PREFIX
    ) -> None:
        check_prefix(prefix)
        found = REGISTRY if registry is None else registry
        #: It may be set later, when other kinds are served.
        self.kinds = kinds
        self._seen: set[str] = set()
        self._rules: dict[str, set[str]] = {}

        def arguments(which: Series) -> tuple[str, str, tuple[str, ...]]:
            return prefix + which.name, which.help, which.labels

        self._requests = Counter(*arguments(REQUESTS), registry=found)
        self._duration = Histogram(*arguments(DURATION), registry=found, buckets=SECONDS)
        self._in_flight = Gauge(*arguments(IN_FLIGHT), registry=found, multiprocess_mode="livesum")
        self._body = Histogram(*arguments(BODY), registry=found, buckets=BYTES)
        self._verdicts = Counter(*arguments(VERDICTS), registry=found)
        self._refusals = Counter(*arguments(RULES), registry=found)
        self._warnings = Counter(*arguments(WARNINGS), registry=found)

    def began(self, path: str) -> None:
        """Counts a new request."""
        self._in_flight.inc()

    def ended(self, ended: RequestRecord) -> None:
        """Counts a finished request."""
        self._in_flight.dec()
        path, answer = ended.path, ended.answer
        self._requests.labels(path, str(ended.code) if ended.code else "none").inc()  # none: the client was gone
        self._duration.labels(path).observe(ended.seconds)
        if ended.size:
            self._body.labels(path).observe(ended.size)
        if answer is None:
            return
        verdict = "failed" if answer.failure else "allowed" if answer.allowed else "refused"
        kind = self._kind(answer.kind)
        self._verdicts.labels(path, kind, verdict).inc()
        for rule in answer.rules:
            self._refusals.labels(kind, self._rule(kind, rule)).inc()
        for rule in answer.warned:
            self._warnings.labels(kind, self._rule(kind, rule)).inc()

    def _kind(self, kind: str) -> str:
        if kind in self._seen:
            return kind
        if self.kinds is not None:
            return kind if kind in self.kinds else OTHER
        if len(self._seen) >= MOST_KINDS or as_label(kind) == OTHER:
            return OTHER
        self._seen.add(kind)
        return kind

    def _rule(self, kind: str, rule: str) -> str:
        known = self._rules.setdefault(kind, set())
        if rule in known:
            return rule
        if len(known) >= MOST_RULES or as_label(rule) == OTHER:
            return OTHER
        known.add(rule)
        return rule
