"""Measures what the harness adds to a request on which both sides agree.

    python benchmarks/mismatch_overhead.py

Both validators give the same lists each time, so that what is left is the harness: the same request is asked with and
without it. Times depend on the machine; the promise is less than 10 µs where both sides report nothing.
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.harness import Harness
from validation_gen.mismatch.outcome import Observer, Outcome
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.operation import Operation

REQUESTS = 2_000
ROUNDS = 25
PROMISE = 10.0
OPTIONS: Mapping[str, bool] = {"Scales": True}


class Watcher:
    """The cheapest observer there is."""

    def compared(self, outcome: Outcome) -> None:
        """Takes no notice."""


def observers() -> dict[str, list[Observer]]:
    found: dict[str, list[Observer]] = {"none": [], "an observer": [Watcher()]}
    try:
        from prometheus_client import CollectorRegistry  # noqa: PLC0415 - it may be absent

        from validation_gen.mismatch.metrics import Metrics  # noqa: PLC0415
    except ModuleNotFoundError:
        sys.stderr.write("without prometheus-client, metrics are not measured\n")
    else:
        found["Metrics"] = [Metrics(CollectorRegistry())]
    return found


def sides(count: int) -> tuple[list[FieldError], list[FieldError]]:
    """As many covered beta errors on either side, each the counterpart of one."""
    handwritten, declarative = [], []
    for number in range(count):
        path = f"spec.ports[{number}].name"
        handwritten.append(FieldError.too_long(path, 15).with_origin("maxLength").covered_by_declarative().beta())
        # The path as generated validators leave it: one element for each level.
        error = FieldError(ErrorType.TOO_LONG, "<value omitted>", "may not be more than 15 characters", "maxLength")
        error.segments += [".name", f"[{number}]", ".ports", ".spec"]
        error.level, error.tag = "beta", "+k8s:maxLength=15"
        declarative.append(error)
    return handwritten, declarative


def seconds(request: Callable[[], object]) -> float:
    """How long a request takes at best, in microseconds."""
    return min(timeit.repeat(request, number=REQUESTS, repeat=ROUNDS)) / REQUESTS * 1e6


def measure(count: int, watching: Sequence[Observer]) -> tuple[float, float]:
    """How long a request takes without the harness and with it, in microseconds."""
    by_hand, by_tag = sides(count)
    obj: dict[str, Any] = {"spec": {"ports": []}}

    def handwritten(*_: Any) -> list[FieldError]:
        return by_hand

    def declarative(*_: Any) -> Sequence[FieldError]:
        return by_tag

    def plain() -> list[FieldError]:
        return [*handwritten(obj, None, Operation(OPTIONS)), *declarative(obj, None, False, OPTIONS, "/")]

    harness = Harness(
        "Widget", handwritten, declarative, gates=FeatureGates("1.37"), options=OPTIONS, observers=watching
    )
    return seconds(plain), seconds(lambda: harness.validate(obj))


def main() -> int:
    write = sys.stdout.write
    write(f"{'errors a side':<15}{'observed by':<15}{'without µs':>12}{'with µs':>12}{'added µs':>12}\n")
    kept = True
    for count in (0, 1, 5):
        for name, watching in observers().items():
            plain, harnessed = measure(count, watching)
            added = harnessed - plain
            kept = kept and (count > 0 or added < PROMISE)
            write(f"{count:<15}{name:<15}{plain:>12.2f}{harnessed:>12.2f}{added:>12.2f}\n")
    write(f"Without errors, less than {PROMISE:.0f} µs are added: {'yes' if kept else 'no'}.\n")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
