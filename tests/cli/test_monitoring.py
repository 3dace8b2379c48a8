"""`generate --emit monitoring`: the dashboard and the alert rules, and their contents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families as parse

from tests.cli.conftest import API, Program
from tests.mismatch.observed import outcome
from tests.mismatch.promtool import check_rules, needs_promtool, run_tests
from tests.tables import each
from validation_gen.compiler.emitters import SERIES_PREFIX
from validation_gen.emit.monitoring import build_monitoring
from validation_gen.emit.output import JSON_KEYS, JSON_MARKER, MARKER
from validation_gen.mismatch.metrics import LastRun, Metrics, exposition
from validation_gen.mismatch.series import PREFIX

DEFAULT = "apiserver_validation_"
PREFIXES = [DEFAULT, "fleet_"]
prefixes = pytest.mark.parametrize("prefix", PREFIXES)


def dashboard(prefix: str = DEFAULT) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(build_monitoring(prefix)["dashboard.json"])
    return found


def rules(prefix: str = DEFAULT) -> list[dict[str, Any]]:
    groups = yaml.safe_load(build_monitoring(prefix)["alerts.yaml"])["groups"]
    return [rule for group in groups for rule in group["rules"]]


def queries(prefix: str) -> Iterator[str]:
    """Every expression of both files, those of variables included."""
    for panel in dashboard(prefix)["panels"]:
        for target in panel["targets"]:
            yield target["expr"]
    for variable in dashboard(prefix)["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"]
    for rule in rules(prefix):
        yield rule["expr"]


# --- the output ------------------------------------------------------------------------------------------------------

EMIT = ("generate", "apis", "--no-cache", "--emit", "monitoring")


@pytest.fixture
def project(program: Program) -> Program:
    program.write(API)
    return program


def test_it_writes_both_files_once(project: Program) -> None:
    first = project(*EMIT)
    assert (first.code, first.err) == (0, "")
    assert "2 files written, 0 unchanged in monitoring" in first.out
    files = project.files("monitoring")
    assert {name: text.decode() for name, text in files.items()} == build_monitoring()
    assert "0 files written, 2 unchanged in monitoring" in project(*EMIT).out
    assert project("check", *EMIT[1:]).code == 0
    assert project.files("monitoring") == files


def test_another_prefix_and_place(project: Program) -> None:
    project.write({"validation-gen.toml": '[monitoring]\nprefix = "fleet_"\n[outputs]\nmonitoring = "far/below"\n'})
    assert project(*EMIT, "-q").out == ""
    files = project.files("far/below")
    assert {name: text.decode() for name, text in files.items()} == build_monitoring("fleet_")
    assert not any(DEFAULT.encode() in text for text in files.values())
    project.write({"validation-gen.toml": ""})
    assert project("check", "apis", "--no-cache", "--emit", "monitoring=far/below").code == 1
    assert SERIES_PREFIX == DEFAULT == PREFIX


def test_a_cached_run_knows_the_prefix(project: Program) -> None:
    for prefix in PREFIXES:
        project.write({"validation-gen.toml": f'[monitoring]\nprefix = "{prefix}"\n'})
        assert project("generate", "apis", "--emit", "monitoring").code == 0
        assert prefix.encode() in project.files("monitoring")["alerts.yaml"]


def test_what_somebody_has_made_is_kept(project: Program) -> None:
    mine = {"monitoring/dashboard.json": '{"title": "Mine"}\n', "monitoring/alerts.yaml": "groups: []\n"}
    project.write(mine)
    done = project(*EMIT, "--format", "concise")
    assert done.code == 2
    assert done.err.count("error VG903 2 files exist and were not generated") == 1
    assert {name: text.decode() for name, text in project.files("monitoring").items()} == {
        name.removeprefix("monitoring/"): text for name, text in mine.items()
    }


@pytest.mark.parametrize("prefix", ["", "fleet", "my-fleet_", "a b_", "größe_"])
def test_a_bad_prefix(project: Program, prefix: str) -> None:
    with pytest.raises(ValueError, match="no prefix of series"):
        build_monitoring(prefix)
    project.write({"validation-gen.toml": f'[monitoring]\nprefix = "{prefix}"\n'})
    done = project(*EMIT)
    assert done.code == 2
    assert "a prefix of series such as fleet_" in " ".join(done.err.split())
    assert not project.files("monitoring")


def test_files_are_known_as_generated() -> None:
    files = build_monitoring()
    assert files["alerts.yaml"].startswith(f"{MARKER}\n")
    key, value = next(iter(dashboard().items()))
    assert (key in JSON_KEYS, value) == (True, JSON_MARKER)


# --- expressions -----------------------------------------------------------------------------------------------------


@prefixes
def test_every_series_in_an_expression_exists(prefix: str) -> None:
    """With the labels that the expression selects and groups by."""
    registry = CollectorRegistry()
    Metrics(registry, prefix).compared(outcome(mismatches=1))
    text = exposition("", registry)[0].decode()
    text += generate_latest(LastRun(True, prefix=prefix)).decode()
    labels: dict[str, set[str]] = {}
    for metric in parse(text):
        for sample in metric.samples:
            labels.setdefault(sample.name, {"job"}).update(sample.labels)
    used = set()
    for query in queries(prefix):
        names = set(re.findall(rf"\b{prefix}\w+", query))
        assert names, query
        assert names <= labels.keys()
        used |= names
        for name, matchers in re.findall(rf"\b({prefix}\w+)\{{(.*?)\}}", query):
            assert set(re.findall(r"(\w+)=", matchers)) <= labels[name], query
        for group in re.finditer(r" by \(([\w, ]+)\) \(", query):
            for name in re.findall(rf"\b{prefix}\w+", _inside(query[group.end() :])):
                assert set(group[1].split(", ")) <= labels[name], query
    unused = {n for n in labels if not n.endswith("_created")} - used
    assert not unused, "series that neither file shows"


def _inside(text: str) -> str:
    """What stands before the parenthesis that closes what the text is in."""
    depth = 1
    for end, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth:
            return text[:end]
    raise AssertionError(text)


@needs_promtool
@each("prefix", PREFIXES)
def test_prometheus_loads_the_rules(prefix: str, tmp_path: Path) -> None:
    (tmp_path / "alerts.yaml").write_text(build_monitoring(prefix)["alerts.yaml"])
    check_rules(tmp_path / "alerts.yaml")


@needs_promtool
@each("prefix", PREFIXES)
def test_prometheus_understands_the_queries_of_panels(prefix: str, tmp_path: Path) -> None:
    """As recording rules, with what Grafana fills in."""
    filled = {"$__rate_interval": "5m", "$__range": "1d", "$job": ".*", "$identifier": ".*"}
    records = []
    for panel in dashboard(prefix)["panels"]:
        for target in panel["targets"]:
            expr = target["expr"]
            for name, value in filled.items():
                expr = expr.replace(name, value)
            assert "$" not in expr
            records.append({"record": f"panel_{panel['id']}_{target['refId']}", "expr": expr})
    (tmp_path / "panels.yaml").write_text(json.dumps({"groups": [{"name": "panels", "rules": records}]}))
    check_rules(tmp_path / "panels.yaml")


# --- the dashboard ---------------------------------------------------------------------------------------------------


def test_panels_say_what_they_show_and_do_not_overlap() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len({panel["title"] for panel in panels}) == len(panels)
    places: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["description"].endswith(".")
        assert panel["targets"]
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert max(x for x, _ in cells) < 24
        assert not cells & places
        places |= cells
        for target in panel["targets"]:
            assert target["datasource"] == panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}


def test_variables_are_declared_and_used() -> None:
    text = build_monitoring()["dashboard.json"]
    declared = {variable["name"] for variable in dashboard()["templating"]["list"]}
    used = set(re.findall(r"\$\{?([a-z]+)", text))
    assert declared == used


def test_every_legend_names_a_label_that_is_there() -> None:
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                groups = re.findall(r" by \(([\w, ]+)\)", target["expr"])
                assert not groups or label in groups[0].split(", "), panel["title"]


# --- alerts ----------------------------------------------------------------------------------------------------------


def test_alerts_say_what_to_do() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["annotations"].keys() == {"summary", "description", "runbook"}
        assert rule["annotations"]["runbook"].startswith("1. ")


def test_the_documentation_has_all_alerts() -> None:
    text = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (critical|warning|info) \| ", text, re.M)
    assert rows == [(rule["alert"], rule["labels"]["severity"]) for rule in rules()]


#: Samples by minute, and the alerts at a time. `_` is a sample that is missing, `axb` a number of equal steps.
LABELS = 'job="op", validation_identifier="widget_create"'
MISMATCHES = f"{DEFAULT}declarative_validation_parity_discrepancies_total{{{LABELS}}}"
DURATIONS = f"{DEFAULT}duration_seconds_%s{{{LABELS}, side=%r%s}}"


def duration(side: str, mean: float, bucket: str) -> dict[str, str]:
    """A request a second that takes `mean` seconds."""
    side = f'"{side}"'
    named = {"count": "0+60x60", "sum": f"0+{60 * mean}x60"}
    found = {DURATIONS.replace("%r", side) % (name, ""): values for name, values in named.items()}
    for le in ("0.0001", "0.01", "0.1", "+Inf"):
        values = "0+60x60" if float(le) >= float(bucket) else "0x60"
        found[DURATIONS.replace("%r", side) % ("bucket", f', le="{le}"')] = values
    return found


@needs_promtool
@each(
    ("alert", "series", "at", "told"),
    [
        ("DeclarativeValidationMismatch", {MISMATCHES: "0x30"}, "20m", ""),
        ("DeclarativeValidationMismatch", {MISMATCHES: "0x10 1x20"}, "15m", "1"),
        ("DeclarativeValidationMismatch", {MISMATCHES: "0x10 1x50"}, "40m", ""),
        # a process that had one before it was first asked
        ("DeclarativeValidationMismatch", {MISMATCHES: "_x10 1x40"}, "12m", "1"),
        ("DeclarativeValidationMismatch", {MISMATCHES: "_x10 1x40"}, "35m", ""),
        # one that has started anew
        ("DeclarativeValidationMismatch", {MISMATCHES: "5x10 0x30"}, "15m", ""),
        ("DeclarativeValidationPanic", {MISMATCHES.replace("parity_discrepancies", "panics"): "0x5 1x20"}, "10m", "1"),
        ("DeclarativeValidationPanic", {MISMATCHES: "0x5 1x20"}, "10m", ""),
        (
            "DuplicateValidationErrors",
            {f'{DEFAULT}duplicate_validation_error_total{{job="op"}}': "0x5 3x20"},
            "10m",
            "3",
        ),
        (
            "DeclarativeValidationSlow",
            duration("handwritten", 0.001, "0.01") | duration("declarative", 0.05, "0.1"),
            "40m",
            "50.0",
        ),
        # much slower, but not slow
        (
            "DeclarativeValidationSlow",
            duration("handwritten", 0.0001, "0.0001") | duration("declarative", 0.005, "0.01"),
            "40m",
            "",
        ),
        # slow, but so are both
        (
            "DeclarativeValidationSlow",
            duration("handwritten", 0.05, "0.1") | duration("declarative", 0.06, "0.1"),
            "40m",
            "",
        ),
        ("DeclarativeValidationLastRunFailed", {f'{DEFAULT}last_run_success{{job="op"}}': "0x10"}, "5m", "0"),
        ("DeclarativeValidationLastRunFailed", {f'{DEFAULT}last_run_success{{job="op"}}': "1x10"}, "5m", ""),
        (
            "DeclarativeValidationLastRunOld",
            {f'{DEFAULT}last_run_timestamp_seconds{{job="op"}}': "0x3000"},
            "2881m",
            "2d 0h 1m 0s",
        ),
        (
            "DeclarativeValidationLastRunOld",
            {f'{DEFAULT}last_run_timestamp_seconds{{job="op"}}': "0x3000"},
            "47h",
            "",
        ),
    ],
)
def test_when_alerts_fire(alert: str, series: dict[str, str], at: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "alerts.yaml").write_text(build_monitoring()["alerts.yaml"])
    wanted = []
    if told:
        (rule,) = [rule for rule in rules() if rule["alert"] == alert]
        labels = {"job": "op", "severity": rule["labels"]["severity"]}
        if " by (job, validation_identifier)" in rule["expr"]:
            labels["validation_identifier"] = "widget_create"
        wanted = [{"exp_labels": labels, "exp_annotations": _filled(rule["annotations"], told)}]
    test = {
        "rule_files": ["alerts.yaml"],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": name, "values": values} for name, values in series.items()],
                "alert_rule_test": [{"eval_time": at, "alertname": alert, "exp_alerts": wanted}],
            }
        ],
    }
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(test))
    run_tests(tmp_path / "test.yaml")


def _filled(annotations: dict[str, str], value: str) -> dict[str, str]:
    """Annotations with what Prometheus fills in."""
    found = {}
    for name, text in annotations.items():
        named = text.replace("{{ $labels.job }}", "op").replace("{{ $labels.validation_identifier }}", "widget_create")
        found[name] = re.sub(r"\{\{ \$value \| .*? \}\}", value, named)
        assert "{{" not in found[name]
    return found
