"""The text file of a run that ends: the same series, written whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families as parse

from tests.mismatch.promtool import check_metrics, needs_promtool
from tests.tables import each
from validation_gen.mismatch import series
from validation_gen.mismatch.textfile import Counts, LastRun, as_text, write_textfile

P = "apiserver_validation_"
COUNTS = {
    "widget_create": Counts(mismatches=3, panics=1, duplicates=4),
    "gadget_status_update": Counts(mismatches=2, expected=5),
    "gadget_create": Counts(),
}
RUN = LastRun(False, 120, 3, 2.5, 0.75, 1.5, ended=1_800_000_000.0)


def counted(text: str) -> dict[tuple[str, ...], float]:
    return {
        (sample.name.removeprefix(P), *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for metric in parse(text)
        for sample in metric.samples
    }


def test_the_same_series_as_live(tmp_path: Path) -> None:
    file = tmp_path / "compare.prom"
    write_textfile(file, COUNTS, RUN)
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
    for which in (*series.LIVE, *series.LAST_RUN):
        if which is not series.DURATION:
            metric = families.pop(P + which.name.removesuffix("_total"))
            assert (metric.type, metric.documentation) == (which.type, which.help)
            assert {name for sample in metric.samples for name in sample.labels} == set(which.labels)
    assert not families


def test_a_run_without_requests_has_the_totals(tmp_path: Path) -> None:
    found = counted(as_text({}, LastRun(True)))
    assert found["declarative_validation_mismatch_total",] == 0
    assert found["last_run_success",] == 1
    assert abs(found["last_run_timestamp_seconds",] - time.time()) < 60
    assert not [key for key in found if "parity" in key[0]]


def test_the_order_of_identifiers_does_not_matter() -> None:
    assert as_text(COUNTS, RUN) == as_text(dict(reversed(COUNTS.items())), RUN)


@needs_promtool
@each("counts", [COUNTS, {}])
def test_promtool_finds_no_fault(counts: dict[str, Counts]) -> None:
    check_metrics(as_text(counts, RUN).encode())


def test_identifiers_beyond_the_limit_are_added_up() -> None:
    counts = {f"kind{i}_create": Counts(mismatches=1) for i in range(5)} | {"bad\n": Counts(mismatches=10)}
    found = counted(as_text(counts, RUN, most_identifiers=2))
    name = "declarative_validation_parity_discrepancies_total"
    assert {key[1]: value for key, value in found.items() if key[0] == name} == {
        "kind0_create": 1,
        "kind1_create": 1,
        "other": 13,
    }
    assert found["declarative_validation_mismatch_total",] == 15


@given(st.dictionaries(st.text(st.characters()), st.integers(0, 10**9), max_size=5))
def test_whatever_identifiers_are_the_text_can_be_parsed(numbers: dict[str, int]) -> None:
    text = as_text({name: Counts(mismatches=number) for name, number in numbers.items()}, RUN)
    text.encode()
    found = counted(text)
    name = "declarative_validation_parity_discrepancies_total"
    assert sum(value for key, value in found.items() if key[0] == name) == sum(numbers.values())
    kept = {label: float(n) for label, n in numbers.items() if series.as_label(label) == label != series.OTHER}
    assert kept.items() <= {key[1]: value for key, value in found.items() if key[0] == name}.items()


# --- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["compare.txt", "compare", ".prom", "compare.prom.gz"])
def test_a_file_that_nobody_would_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"does not end in \.prom, and node_exporter reads only files that do"):
        write_textfile(tmp_path / name, COUNTS, RUN)
    assert not list(tmp_path.iterdir())


def test_a_bad_prefix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'fleet' is no prefix of series"):
        write_textfile(tmp_path / "a.prom", COUNTS, RUN, prefix="fleet")
    assert not list(tmp_path.iterdir())


def test_others_may_read_it(tmp_path: Path) -> None:
    """node_exporter is another user."""
    before = os.umask(0o022)
    try:
        write_textfile(tmp_path / "a.prom", COUNTS, RUN)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.prom").stat().st_mode) == 0o644


def test_what_cannot_be_written_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.prom").mkdir()
    with pytest.raises(OSError, match=r"a\.prom"):
        write_textfile(tmp_path / "a.prom", COUNTS, RUN)
    with pytest.raises(FileNotFoundError):
        write_textfile(tmp_path / "none" / "a.prom", COUNTS, RUN)
    assert [path.name for path in tmp_path.iterdir()] == ["a.prom"]


def test_a_reader_never_sees_half_of_it(tmp_path: Path) -> None:
    file = tmp_path / "a.prom"
    texts = [as_text({f"kind{i}_create": Counts(i) for i in range(n)}, RUN).encode() for n in (1, 400)]
    write_textfile(file, {"kind0_create": Counts()}, RUN)
    seen: set[bytes] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            assert {path.name for path in tmp_path.glob("*.prom")} == {"a.prom"}
            seen.add(file.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for n in (400, 1) * 50:
        write_textfile(file, {f"kind{i}_create": Counts(i) for i in range(n)}, RUN)
    done.set()
    reader.join()
    assert seen <= set(texts)
    assert [path.name for path in tmp_path.iterdir()] == ["a.prom"]
