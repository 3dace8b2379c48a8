"""Metrics for Prometheus: an observer that counts requests, the answer to a scrape, and the series of a finished run.

This is the one module here that needs `prometheus-client`, so nothing else here imports it. It starts no server.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

from validation_gen.mismatch import series
from validation_gen.mismatch.outcome import Outcome, Side
from validation_gen.mismatch.series import MOST_IDENTIFIERS, OTHER, PREFIX, Series

try:
    from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, multiprocess, values
    from prometheus_client.exposition import choose_encoder
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
except ModuleNotFoundError as error:
    message = "metrics need the package prometheus-client: pip install 'validation-gen[metrics]'"
    raise ModuleNotFoundError(message, name=error.name) from None

_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"

#: From 1 µs, which a few rules take, to 1 s.
BUCKETS = (
    *(1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4),
    *(1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1.0),
)


class Metrics:
    """Counts outcomes. It is an `Observer`, and may be shared by threads.

    Several of them with the same registry and prefix count together, so each part of a program can have its own.

    Args:
        registry: registry of the series, by default that of the process.
        prefix: prefix of their names.
        buckets: the upper bounds of the durations in seconds, in ascending order.
        most_identifiers: number of identifiers with their own series; the others are counted as `other`.

    Raises:
        ValueError: the prefix is invalid, the registry has other series of these names, or the same ones with other
            buckets or another limit.
    """

    def __init__(
        self,
        registry: CollectorRegistry | None = None,
        prefix: str = PREFIX,
        *,
        buckets: Sequence[float] = BUCKETS,
        most_identifiers: int = MOST_IDENTIFIERS,
    ) -> None:
        series.check_prefix(prefix)
        _multiprocess()
        wanted = _MetricOptions(prefix, tuple(buckets), most_identifiers)
        self._families = _register(REGISTRY if registry is None else registry, wanted)
        self._children = self._families.children  # one attribute less on the way of each request

    def compared(self, outcome: Outcome) -> None:
        """Counts a request. When both sides agree, this takes about two microseconds."""
        child = self._children.get(outcome.identifier) or self._families.child(outcome.identifier)
        child.handwritten(outcome.handwritten_seconds)
        if outcome.declarative_seconds is not None:
            child.declarative(outcome.declarative_seconds)
        if outcome.mismatches:
            self._families.mismatches.inc(len(outcome.mismatches))
            child.discrepancies.inc(len(outcome.mismatches))
        if outcome.expected:
            child.expected.inc(len(outcome.expected))
        if outcome.panic is not None:
            self._families.panic.inc()
            child.panics.inc()
        if outcome.duplicates:
            self._families.duplicates.inc(len(outcome.duplicates))


def exposition(accept: str = "", registry: CollectorRegistry | None = None) -> tuple[bytes, str]:
    """Returns the answer to a scrape, and its content type.

    With `PROMETHEUS_MULTIPROC_DIR` it has the series of all processes, from any registry.

    Args:
        accept: the header `Accept` of the request; Prometheus may request the OpenMetrics format.
        registry: the registry without that variable, by default that of the process.
    """
    if _multiprocess():
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    encode, content_type = choose_encoder(accept)
    return encode(REGISTRY if registry is None else registry), content_type


def mark_process_dead(pid: int) -> None:
    """Forgets the gauges of an ended process; its parent calls this. Does nothing without `PROMETHEUS_MULTIPROC_DIR`.

    Its counters stay.
    """
    if _multiprocess():
        multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]


def _multiprocess() -> bool:
    """Returns whether several processes count together.

    Raises:
        ValueError: that is configured, but impossible. Without this, counts would be lost silently.
    """
    directory = os.environ.get(_DIRECTORY)
    if directory is None:
        return False
    if not os.path.isdir(directory):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        raise ValueError(f"{_DIRECTORY} is {directory!r}, which is no directory: make it before the program starts")
    if not getattr(values.ValueClass, "_multiprocess", True):
        raise ValueError(f"{_DIRECTORY} was set after prometheus_client was imported: set it before the program starts")
    return True


# --- a run that ends --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Counts:
    """Counters of one validation identifier."""

    mismatches: int = 0
    expected: int = 0
    panics: int = 0
    duplicates: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class LastRun:
    """Collector of the totals of a finished run, for `prometheus_client.write_to_textfile`.

    Attributes:
        success: True if it ended without an unexpected mismatch, and without a panic.
        counts: the counters, by validation identifier. Counts of 0 also get a series.
        requests: number of compared requests.
        unusable: number of inputs that could not be compared.
        seconds: its duration; `handwritten_seconds` and `declarative_seconds` are the shares of each side.
        ended: its end, in seconds since 1970.
        prefix: prefix of the series.
        most_identifiers: number of identifiers with their own series, in alphabetical order; the others are added up.

    Raises:
        ValueError: the prefix is invalid.
    """

    success: bool
    counts: Mapping[str, Counts] = field(default_factory=dict)
    requests: int = 0
    unusable: int = 0
    seconds: float = 0.0
    handwritten_seconds: float = 0.0
    declarative_seconds: float = 0.0
    ended: float = field(default_factory=time.time)
    prefix: str = PREFIX
    most_identifiers: int = MOST_IDENTIFIERS

    def __post_init__(self) -> None:
        series.check_prefix(self.prefix)

    def collect(self) -> Iterator[Metric]:
        """Yields the series."""
        counts = self._bounded()
        total = sum(counts.values(), Counts())
        sides = {Side.HANDWRITTEN: self.handwritten_seconds, Side.DECLARATIVE: self.declarative_seconds}
        values: dict[Series, dict[tuple[str, ...], float]] = {
            series.MISMATCHES: {(): total.mismatches},
            series.DISCREPANCIES: {(name,): one.mismatches for name, one in counts.items()},
            series.PANIC: {(): total.panics},
            series.PANICS: {(name,): one.panics for name, one in counts.items()},
            series.DUPLICATES: {(): total.duplicates},
            series.EXPECTED: {(name,): one.expected for name, one in counts.items()},
            series.LAST_RUN_TIMESTAMP: {(): self.ended},
            series.LAST_RUN_SUCCESS: {(): int(self.success)},
            series.LAST_RUN_REQUESTS: {(): self.requests},
            series.LAST_RUN_UNUSABLE: {(): self.unusable},
            series.LAST_RUN_DURATION: {(): self.seconds},
            series.LAST_RUN_SIDE_DURATION: {(side.value,): seconds for side, seconds in sides.items()},
        }
        for each, by_labels in values.items():
            family = CounterMetricFamily if each.type == "counter" else GaugeMetricFamily
            found = family(self.prefix + each.name, each.help, labels=each.labels)
            for labels, value in by_labels.items():
                found.add_metric(labels, value)
            yield found

    def _bounded(self) -> dict[str, Counts]:
        bounded: dict[str, Counts] = {}
        rest: list[Counts] = []
        for name in sorted(self.counts):
            label = series.as_label(name)
            if label != OTHER and len(bounded) < self.most_identifiers:
                bounded[label] = self.counts[name]
            else:
                rest.append(self.counts[name])
        return {**bounded, OTHER: sum(rest, Counts())} if rest else bounded


# --- registration ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _MetricOptions:
    prefix: str
    buckets: tuple[float, ...]
    most: int


@dataclass(frozen=True, slots=True)
class _Child:
    """The series of one identifier, looked up once."""

    handwritten: Callable[[float], None]
    declarative: Callable[[float], None]
    discrepancies: Counter
    expected: Counter
    panics: Counter


class _Families:
    """All series of a prefix in a registry."""

    def __init__(self, wanted: _MetricOptions) -> None:
        counters = [
            Counter(wanted.prefix + each.name, each.help, each.labels, registry=None) for each in series.COUNTERS
        ]
        self.mismatches, self.discrepancies, self.panic, self.panics, self.duplicates, self.expected = counters
        name, help, labels = wanted.prefix + series.DURATION.name, series.DURATION.help, series.DURATION.labels
        self.duration = Histogram(name, help, labels, registry=None, buckets=wanted.buckets)
        self.collectors = [*counters, self.duration]
        self.wanted = wanted
        self.children: dict[str, _Child] = {}
        self._other: _Child | None = None
        self._lock = threading.Lock()

    def register(self, registry: CollectorRegistry) -> None:
        """Registers all or, if one exists already, none."""
        for number, collector in enumerate(self.collectors):
            try:
                registry.register(collector)
            except ValueError as error:
                for one in self.collectors[:number]:
                    registry.unregister(one)
                reason = "give another prefix or another registry"
                raise ValueError(f"the registry has series of these names already, {reason}: {error}") from None

    def child(self, identifier: str) -> _Child:
        """Returns the series of an identifier.

        They begin at 0 with its first request, so that rates see the first mismatch.
        """
        label = series.as_label(identifier)
        with self._lock:
            if label != OTHER and (label in self.children or len(self.children) < self.wanted.most):
                if label not in self.children:
                    self.children[label] = self._made(label)
                return self.children[label]
            if self._other is None:
                self._other = self._made(OTHER)
            return self._other

    def _made(self, label: str) -> _Child:
        return _Child(
            self.duration.labels(Side.HANDWRITTEN.value, label).observe,
            self.duration.labels(Side.DECLARATIVE.value, label).observe,
            self.discrepancies.labels(label),
            self.expected.labels(label),
            self.panics.labels(label),
        )


_known: weakref.WeakKeyDictionary[CollectorRegistry, dict[str, _Families]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def _register(registry: CollectorRegistry, wanted: _MetricOptions) -> _Families:
    with _lock:
        families = _known.setdefault(registry, {})
        known = families.get(wanted.prefix)
        if known is None:
            known = _Families(wanted)
            known.register(registry)
            families[wanted.prefix] = known
        elif known.wanted != wanted:
            reason = "give the same ones, another prefix or another registry"
            raise ValueError(f"the registry has these series with other buckets or another limit: {reason}")
        return known
