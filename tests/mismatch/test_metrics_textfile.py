"""The series of a run that ends are the live ones, and some about the run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import generate_latest, write_to_textfile
from prometheus_client.parser import text_string_to_metric_families as parse

from tests.mismatch.observed import SERIES
from tests.mismatch.promtool import check_metrics, needs_promtool
from tests.tables import each
from validation_gen.mismatch import series
from validation_gen.mismatch.metrics import Counts, LastRun

P = "apiserver_validation_"
COUNTS = {
    "widget_create": Counts(mismatches=3, panics=1, duplicates=4),
    "gadget_status_update": Counts(mismatches=2, expected=5),
    "gadget_create": Counts(),
}
RUN = LastRun(False, COUNTS, 120, 3, 2.5, 0.75, 1.5, ended=1_800_000_000.0)


def as_text(counts: Mapping[str, Counts], most: int = 1000) -> str:
    return generate_latest(replace(RUN, counts=counts, most_identifiers=most)).decode()


def counted(text: str) -> dict[tuple[str, ...], float]:
    return {
        (sample.name.removeprefix(P), *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for metric in parse(text)
        for sample in metric.samples
    }


def test_the_same_series_as_live(tmp_path: Path) -> None:
    file = tmp_path / "compare.prom"
    write_to_textfile(str(file), RUN)
    text = file.read_text()
    assert counted(text) == {
        ("declarative_validation_mismatch_total",): 5,
        ("declarative_validation_parity_discrepancies_total", "gadget_create"): 0,
        ("declarative_validation_parity_discrepancies_total", "gadget_status_update"): 2,
        ("declarative_validation_parity_discrepancies_total", "widget_create"): 3,
        ("declarative_validation_panic_total",): 1,
        ("declarative_validation_panics_total", "gadget_create"): 0,
        ("declarative_validation_panics_total", "gadget_status_update"): 0,
        ("declarative_validation_panics_total", "widget_create"): 1,
        ("duplicate_validation_error_total",): 4,
        ("declarative_validation_expected_mismatch_total", "gadget_create"): 0,
        ("declarative_validation_expected_mismatch_total", "gadget_status_update"): 5,
        ("declarative_validation_expected_mismatch_total", "widget_create"): 0,
        ("last_run_timestamp_seconds",): 1_800_000_000,
        ("last_run_success",): 0,
        ("last_run_requests",): 120,
        ("last_run_unusable_inputs",): 3,
        ("last_run_duration_seconds",): 2.5,
        ("last_run_side_duration_seconds", "handwritten"): 0.75,
        ("last_run_side_duration_seconds", "declarative"): 1.5,
    }
    families = {metric.name: metric for metric in parse(text)}
    for which in SERIES:
        if which is not series.DURATION:
            metric = families.pop(P + which.name.removesuffix("_total"))
            assert (metric.type, metric.documentation) == (which.type, which.help)
            assert {name for sample in metric.samples for name in sample.labels} == set(which.labels)
    assert not families


def test_a_run_without_requests_has_the_totals(tmp_path: Path) -> None:
    found = counted(generate_latest(LastRun(True)).decode())
    assert found["declarative_validation_mismatch_total",] == 0
    assert found["last_run_success",] == 1
    assert abs(found["last_run_timestamp_seconds",] - time.time()) < 60
    assert not [key for key in found if "parity" in key[0]]


def test_the_order_of_identifiers_does_not_matter() -> None:
    assert as_text(COUNTS) == as_text(dict(reversed(COUNTS.items())))


@needs_promtool
@each("counts", [COUNTS, {}])
def test_promtool_finds_no_fault(counts: dict[str, Counts]) -> None:
    check_metrics(as_text(counts).encode())


def test_identifiers_beyond_the_limit_are_added_up() -> None:
    counts = {f"kind{i}_create": Counts(mismatches=1) for i in range(5)} | {"bad\n": Counts(mismatches=10)}
    found = counted(as_text(counts, 2))
    name = "declarative_validation_parity_discrepancies_total"
    assert {key[1]: value for key, value in found.items() if key[0] == name} == {
        "kind0_create": 1,
        "kind1_create": 1,
        "other": 13,
    }
    assert found["declarative_validation_mismatch_total",] == 15


@given(st.dictionaries(st.text(st.characters()), st.integers(0, 10**9), max_size=5))
def test_whatever_identifiers_are_the_text_can_be_parsed(numbers: dict[str, int]) -> None:
    text = as_text({name: Counts(mismatches=number) for name, number in numbers.items()})
    text.encode()
    found = counted(text)
    name = "declarative_validation_parity_discrepancies_total"
    assert sum(value for key, value in found.items() if key[0] == name) == sum(numbers.values())
    kept = {label: float(n) for label, n in numbers.items() if series.as_label(label) == label != series.OTHER}
    assert kept.items() <= {key[1]: value for key, value in found.items() if key[0] == name}.items()


def test_a_bad_prefix_is_refused() -> None:
    with pytest.raises(ValueError, match="'fleet' is no prefix of series"):
        LastRun(True, prefix="fleet")
