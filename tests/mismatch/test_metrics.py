"""What observed requests are counted as: names, labels, numbers, and what keeps them within bounds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import REGISTRY, CollectorRegistry, Counter
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from tests.mismatch.observed import SERIES, outcome
from tests.mismatch.promtool import check_metrics, needs_promtool
from validation_gen.mismatch import series
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.harness import Harness
from validation_gen.mismatch.metrics import BUCKETS, Metrics, exposition, mark_process_dead
from validation_gen.runtime.errors import FieldError

HOME = Path(__file__).parents[2]
P = "apiserver_validation_"

#: Names and help texts as in k8s.io/apiserver/pkg/validation/metrics.go.
UPSTREAM = {
    f"{P}declarative_validation_mismatch": "Number of times declarative validation results differed from handwritten "
    "validation results for core types.",
    f"{P}declarative_validation_parity_discrepancies": "Number of discrepancies between declarative and handwritten "
    "validation, broken down by validation identifier.",
    f"{P}declarative_validation_panic": "Number of times declarative validation has panicked during validation.",
    f"{P}declarative_validation_panics": "Number of panics in declarative validation, broken down by validation "
    "identifier.",
    f"{P}duplicate_validation_error": "Number of duplicate validation errors during validation.",
}


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


def samples(registry: CollectorRegistry) -> dict[tuple[str, ...], float]:
    """What is counted: name and label values in the order of label names, without the prefix and times of creation."""
    found = {}
    for metric in registry.collect():
        for sample in metric.samples:
            if not sample.name.endswith("_created"):
                labels = (sample.labels[name] for name in sorted(sample.labels))
                found[(sample.name.removeprefix(P), *labels)] = sample.value
    return found


def value(registry: CollectorRegistry, name: str, *labels: str) -> float | None:
    return samples(registry).get((name, *labels))


# --- names -----------------------------------------------------------------------------------------------------------


def test_series_of_kubernetes_have_its_names_and_help_texts(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome())
    assert {metric.name: metric.documentation for metric in registry.collect()}.items() >= UPSTREAM.items()


def test_the_table_of_series_is_what_is_registered(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome())
    found = {}
    for metric in registry.collect():
        names = {name for sample in metric.samples for name in sample.labels} - {"le"}
        suffix = "_total" if metric.type == "counter" else ""
        found[metric.name.removeprefix(P) + suffix] = (metric.type, metric.documentation, names)
    live = [each for each in SERIES if not each.name.startswith("last_run_")]
    assert found == {each.name: (each.type, each.help, set(each.labels)) for each in live}


def test_the_documentation_has_all_series() -> None:
    text = (HOME / "docs" / "metrics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (counter|gauge|histogram) \| (.*?) ?\| ", text, re.M)
    found = {name: (type, tuple(re.findall(r"`(\w+)`", labels))) for name, type, labels in rows}
    assert found == {which.name: (which.type, which.labels) for which in SERIES}


def test_unlabelled_counters_are_there_before_the_first_request(registry: CollectorRegistry) -> None:
    Metrics(registry)
    assert samples(registry) == {
        ("declarative_validation_mismatch_total",): 0,
        ("declarative_validation_panic_total",): 0,
        ("duplicate_validation_error_total",): 0,
    }


def test_labelled_counters_begin_at_0_so_that_rates_see_the_first_mismatch(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome())
    for name in ("parity_discrepancies", "panics", "expected_mismatch"):
        assert value(registry, f"declarative_validation_{name}_total", "widget_create") == 0


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_mismatches_are_counted_one_by_one(registry: CollectorRegistry) -> None:
    metrics = Metrics(registry)
    metrics.compared(outcome(mismatches=3))
    metrics.compared(outcome("widget_status_update", mismatches=1, expected=2))
    assert value(registry, "declarative_validation_mismatch_total") == 4
    name = "declarative_validation_parity_discrepancies_total"
    assert value(registry, name, "widget_create") == 3
    assert value(registry, name, "widget_status_update") == 1
    name = "declarative_validation_expected_mismatch_total"
    assert value(registry, name, "widget_create") == 0
    assert value(registry, name, "widget_status_update") == 2


def test_panics_and_duplicates(registry: CollectorRegistry) -> None:
    metrics = Metrics(registry)
    metrics.compared(outcome(panic=ZeroDivisionError()))
    metrics.compared(outcome(duplicates=2))
    assert value(registry, "declarative_validation_panic_total") == 1
    assert value(registry, "declarative_validation_panics_total", "widget_create") == 1
    assert value(registry, "duplicate_validation_error_total") == 2


def test_durations_of_each_side(registry: CollectorRegistry) -> None:
    metrics = Metrics(registry)
    metrics.compared(outcome(handwritten=3e-6, declarative=0.5))
    metrics.compared(outcome(handwritten=2.0, declarative=None))
    found = samples(registry)
    count, total = "duration_seconds_count", "duration_seconds_sum"
    assert (found[count, "handwritten", "widget_create"], found[count, "declarative", "widget_create"]) == (2, 1)
    assert found[total, "handwritten", "widget_create"] == pytest.approx(2.000003)
    assert found[total, "declarative", "widget_create"] == 0.5
    bucket = {key[1]: number for key, number in found.items() if key[0] == "duration_seconds_bucket"}
    assert {float(bound) for bound in bucket} == {*BUCKETS, float("inf")}
    below = {key[1]: n for key, n in found.items() if key[0] == "duration_seconds_bucket" and key[2] == "handwritten"}
    assert (below["2.5e-06"], below["5e-06"], below["1.0"], below["+Inf"]) == (0, 1, 1, 2)


def test_buckets_are_from_a_microsecond_to_a_second() -> None:
    assert (BUCKETS[0], BUCKETS[-1]) == (1e-6, 1.0)
    assert sorted(set(BUCKETS)) == list(BUCKETS)


def test_no_path_and_no_message_becomes_a_label(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome(mismatches=1, expected=1, panic=ValueError("at spec.secret"), duplicates=1))
    for accept in ("", "application/openmetrics-text"):
        assert b"secret" not in exposition(accept, registry)[0]


def test_threads_lose_nothing(registry: CollectorRegistry) -> None:
    def work(number: int) -> None:
        metrics = Metrics(registry)
        for i in range(500):
            metrics.compared(outcome(f"kind{(i + number) % 20}_create", mismatches=1))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = samples(registry)
    assert found["declarative_validation_mismatch_total",] == 4000
    each = [found["declarative_validation_parity_discrepancies_total", f"kind{i}_create"] for i in range(20)]
    assert each == [200] * 20


def test_what_the_harness_finds_is_counted(registry: CollectorRegistry) -> None:
    """From both validators to the series, so that both know the same outcome."""

    def handwritten(obj: dict[str, int], *_: object) -> list[FieldError]:
        return [FieldError.required("spec").covered_by_declarative()] if "spec" not in obj else []

    def declarative(obj: dict[str, int], *_: object) -> list[FieldError]:
        if "bad" in obj:
            raise ZeroDivisionError
        return []

    harness = Harness("Widget", handwritten, declarative, gates=FeatureGates(), observers=[Metrics(registry)])
    assert harness.validate({"spec": 1}) == []
    harness.validate({})
    harness.validate({"spec": 1, "bad": 1}, {"spec": 1}, subresource="/status")
    found = samples(registry)
    assert found["declarative_validation_mismatch_total",] == 1
    assert found["declarative_validation_parity_discrepancies_total", "widget_create"] == 1
    assert found["declarative_validation_panics_total", "widget_status_update"] == 1
    assert found["duration_seconds_count", "handwritten", "widget_create"] == 2


# --- bounds ----------------------------------------------------------------------------------------------------------


def test_identifiers_beyond_the_limit_are_counted_as_other(registry: CollectorRegistry) -> None:
    metrics = Metrics(registry, most_identifiers=3)
    for i in range(10):
        metrics.compared(outcome(f"kind{i}_create", mismatches=1))
    metrics.compared(outcome("kind0_create", mismatches=1))
    name = "declarative_validation_parity_discrepancies_total"
    found = {labels[0]: number for (key, *labels), number in samples(registry).items() if key == name}
    assert found == {"kind0_create": 2, "kind1_create": 1, "kind2_create": 1, "other": 7}
    assert value(registry, "declarative_validation_mismatch_total") == 11


@pytest.mark.parametrize("identifier", ["", "x" * 257, "a\nb", "\udcff", "a\x00", "other"])
def test_what_is_no_identifier_is_counted_as_other(registry: CollectorRegistry, identifier: str) -> None:
    Metrics(registry).compared(outcome(identifier, mismatches=1))
    name = "declarative_validation_parity_discrepancies_total"
    assert [labels for key, *labels in samples(registry) if key == name] == [["other"]]


@given(st.lists(st.text(st.characters()), max_size=5))
def test_whatever_identifiers_are_the_exposition_can_be_parsed(identifiers: list[str]) -> None:
    registry = CollectorRegistry()
    metrics = Metrics(registry, most_identifiers=4)
    for identifier in identifiers:
        metrics.compared(outcome(identifier, mismatches=1))
    for accept, parse in (("", parse_text), ("application/openmetrics-text", parse_openmetrics)):
        text = exposition(accept, registry)[0].decode()
        total = sum(
            sample.value
            for metric in parse(text)
            for sample in metric.samples
            if sample.name == f"{P}declarative_validation_parity_discrepancies_total"
        )
        assert total == len(identifiers)


# --- registering -----------------------------------------------------------------------------------------------------


def test_two_of_one_registry_count_together(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome(mismatches=1))
    Metrics(registry).compared(outcome(mismatches=1))
    assert value(registry, "declarative_validation_mismatch_total") == 2


def test_registries_and_prefixes_count_apart(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome(mismatches=1))
    Metrics(registry, "fleet_").compared(outcome(mismatches=2))
    Metrics(CollectorRegistry()).compared(outcome(mismatches=4))
    assert value(registry, "declarative_validation_mismatch_total") == 1
    assert value(registry, "fleet_declarative_validation_mismatch_total") == 2


def test_the_registry_of_the_process_is_the_default() -> None:
    Metrics(prefix="test_of_the_default_").compared(outcome(mismatches=1))
    assert REGISTRY.get_sample_value("test_of_the_default_declarative_validation_mismatch_total") == 1
    assert b"\ntest_of_the_default_declarative_validation_mismatch_total 1.0\n" in exposition()[0]


def test_others_of_the_same_name_are_a_clear_error_and_leave_no_trace(registry: CollectorRegistry) -> None:
    Counter(f"{P}declarative_validation_panics_total", "Mine.", registry=registry)
    with pytest.raises(ValueError, match="series of these names already, give another prefix or another registry: "):
        Metrics(registry)
    assert [metric.name for metric in registry.collect()] == [f"{P}declarative_validation_panics"]


@pytest.mark.parametrize("settings", [{"buckets": (0.1, 1.0)}, {"most_identifiers": 7}])
def test_other_settings_for_the_same_series_are_a_clear_error(registry: CollectorRegistry, settings: object) -> None:
    Metrics(registry)
    with pytest.raises(ValueError, match="with other buckets or another limit: give the same ones, another prefix or"):
        Metrics(registry, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("prefix", ["a_", "_a_", "Fleet2_", "x__"])
def test_good_prefixes(registry: CollectorRegistry, prefix: str) -> None:
    Metrics(registry, prefix).compared(outcome())
    assert all(metric.name.startswith(prefix) for metric in registry.collect())


@pytest.mark.parametrize(
    ("prefix", "suggestion"),
    [
        ("", P),
        ("fleet", "fleet_"),
        ("my-fleet_", "my_fleet_"),
        ("2fleet_", "fleet_"),
        ("a:b_", "a_b_"),
        ("größe_", "gr_e_"),
        ("a_\n", "a_"),
        ("-", P),
    ],
)
def test_bad_prefixes(registry: CollectorRegistry, prefix: str, suggestion: str) -> None:
    with pytest.raises(ValueError, match=f"is no prefix of series: .*, such as {suggestion!r}$"):
        Metrics(registry, prefix)
    assert not list(registry.collect())
    series.check_prefix(suggestion)


@given(st.text())
def test_whatever_a_prefix_is_it_is_accepted_or_refused(prefix: str) -> None:
    try:
        series.check_prefix(prefix)
    except ValueError:
        return
    Metrics(CollectorRegistry(), prefix)


# --- what a scrape is answered with ----------------------------------------------------------------------------------


def test_both_formats(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome("widget_create", mismatches=1))
    for accept, kind, parse in (
        ("", "text/plain", parse_text),
        (
            "application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
            "application/openmetrics-text",
            parse_openmetrics,
        ),
    ):
        content, content_type = exposition(accept, registry)
        assert content_type.startswith(kind)
        found = {sample.name for metric in parse(content.decode()) for sample in metric.samples}
        assert f"{P}declarative_validation_parity_discrepancies_total" in found
        assert f"{P}duration_seconds_bucket" in found


@needs_promtool
def test_promtool_finds_no_fault(registry: CollectorRegistry) -> None:
    Metrics(registry).compared(outcome("widget_create", mismatches=1))
    check_metrics(exposition("", registry)[0])


def test_without_processes_there_is_nothing_to_mark() -> None:
    mark_process_dead(1)


# --- without prometheus-client ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def without() -> dict[str, object]:
    """What happens in a process where prometheus-client is not installed."""
    program = """
        import importlib, json, pkgutil, sys

        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "prometheus_client":
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        sys.meta_path.insert(0, Blocker())
        import validation_gen.mismatch as package
        names = [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        names.remove("validation_gen.mismatch.metrics")
        for name in names:
            importlib.import_module(name)
        tops = {name.partition(".")[0] for name in sys.modules}
        try:
            import validation_gen.mismatch.metrics
        except ImportError as error:
            message, missing = str(error), error.name
        print(json.dumps({"modules": names, "foreign": sorted(tops), "message": message, "missing": missing}))
    """
    command = [sys.executable, "-S", "-c", textwrap.dedent(program)]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_all_other_modules_need_nothing_but_python(without: dict[str, list[str]]) -> None:
    assert "validation_gen.mismatch.harness" in without["modules"]
    assert set(without["foreign"]) - sys.stdlib_module_names == {"__main__", "validation_gen"}


def test_the_missing_package_is_named(without: dict[str, str]) -> None:
    wanted = "metrics need the package prometheus-client: pip install 'validation-gen[metrics]'"
    assert (without["message"], without["missing"]) == (wanted, "prometheus_client")
