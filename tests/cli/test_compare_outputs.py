"""`validation-gen compare`: what it writes, what it needs, and how it tells mistakes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Program
from validation_gen.commands.compare.comparison import _sentence
from validation_gen.commands.compare.run import ProgressState

CHECKS = """
from validation_gen.mismatch import FieldError, Path

SPEC = Path("spec")


def validate(obj, old, op):
    spec = obj.get("spec") or {}
    errors = []
    name = spec.get("name") or ""
    if not name:
        errors.append(FieldError.required(SPEC.child("name")))
    elif len(name) > 5:
        errors.append(FieldError.too_long(SPEC.child("name"), 5, "character").with_origin("maxLength"))
    count = spec.get("count")
    if count is not None and count < 2:  # the tag says 1
        errors.append(FieldError.invalid(SPEC.child("count"), count, "too few").with_origin("minimum"))
    if old is not None and (old.get("spec") or {}).get("color") and spec.get("color") != old["spec"]["color"]:
        errors.append(FieldError.invalid(SPEC.child("color"), spec.get("color"), "it stays").with_origin("immutable"))
    return errors
"""


def thing(name: str = "a", **spec: Any) -> dict[str, Any]:
    """An object of the small API."""
    return {
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": {"name": name},
        "spec": {"name": name[:5], **spec},
    }


def lines(*objects: object) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in objects)


@pytest.fixture
def things(project: Program) -> Program:
    """The small API with handwritten validation, which differs from the tags for a count of 1."""
    project.write({"checks.py": CHECKS, "good.jsonl": lines(thing(), thing("b", count=3))})
    project.write({"ones.jsonl": lines(*(thing("a", count=n % 4) for n in range(8)))})
    return project


def compare(program: Program, *arguments: str, stdin: str | bytes = b"", **environ: str) -> Done:
    common = ("compare", "apis", "--handwritten", "python:checks.py:validate", "--option", "Glitter=true")
    return program(*common, *arguments, stdin=stdin, **environ)


def report(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.out)
    return found


# --- what is expected, and by which rules ----------------------------------------------------------------------------

EXPECTED = """
expected:
- {{kind: Thing, path: spec.count, type: FieldValueInvalid, origin: minimum, reason: a pair at least, expires: {}}}
"""


def test_an_entry_that_is_not_needed_is_told(things: Program) -> None:
    """Although there is another one with the same reason."""
    unused = "- {kind: Thing, path: spec.name, reason: a pair at least}\n"
    things.write({"expected.yaml": EXPECTED.format("2999-12-31") + unused})
    done = compare(things, "-f", "ones.jsonl", "--expected", "expected.yaml")
    assert done.code == 0
    assert [line for line in done.err.splitlines() if "-->" in line] == [" --> expected.yaml:4:3"]
    assert "VG603" in done.err


# --- files -----------------------------------------------------------------------------------------------------------


def test_reports_in_all_forms(things: Program) -> None:
    done = compare(things, "-f", "ones.jsonl", "--format", "junit")
    suites = ET.fromstring(done.out)
    assert [int(suite.get("failures", "")) for suite in suites.iter("testsuite")] == [1]
    done = compare(things, "-f", "ones.jsonl", "--format", "sarif")
    (result,) = json.loads(done.out)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("apis/things/v1/types.go", 20)
    assert compare(things, "-f", "ones.jsonl", "--format", "concise").out.startswith(
        "apis/things/v1/types.go:20:5: rule differs: 2 x example.com/v1/Thing"
    )


def test_the_page_shows_the_trend_of_the_history(things: Program) -> None:
    for objects in ("ones.jsonl", "good.jsonl"):
        compare(things, "-f", objects, "--history", "runs.jsonl", "--report", "page.html")
    page = (things.directory / "page.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert len((things.directory / "runs.jsonl").read_text().splitlines()) == 2
    assert "no mismatches" in page.lower()


def test_metrics_count_as_the_server_does(things: Program) -> None:
    parser = pytest.importorskip("prometheus_client.parser")
    things.write({"validation-gen.toml": '[monitoring]\nprefix = "shop_"\n'})
    compare(things, "-f", "ones.jsonl", "--metrics-file", "compare.prom")
    text = (things.directory / "compare.prom").read_text()
    samples = {
        (sample.name, sample.labels.get("validation_identifier")): sample.value
        for family in parser.text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["shop_declarative_validation_mismatch_total", None] == 2
    assert samples["shop_declarative_validation_parity_discrepancies_total", "thing_create"] == 2
    assert "spec" not in text


def test_cases_are_kept_and_compared_again(things: Program) -> None:
    done = compare(things, "-f", "ones.jsonl", "--cases", "cases")
    (case,) = (things.directory / "cases").iterdir()
    assert f"saved cases/{case.name}" in done.out
    assert json.loads(case.read_text())["obj"]["spec"]["count"] == 1
    content = case.read_bytes()
    again = compare(things, "--cases", "cases", "--format", "json")
    assert (again.code, report(again)["totals"]["mismatches"]) == (1, 1)
    assert case.read_bytes() == content
    things.write({"checks.py": CHECKS.replace("< 2", "< 1")})
    assert compare(things, "--cases", "cases").code == 0


def test_drawn_requests_find_the_difference(things: Program) -> None:
    pytest.importorskip("hypothesis")
    once = compare(things, "--fuzz", "300", "--seed", "7", "--format", "json", "--jobs", "1")
    found = {each["path"]: each["cause"] for each in report(once)["mismatches"]}
    assert once.code == 1
    assert found["spec.count"] == "rule differs"
    again = compare(things, "--fuzz", "300", "--seed", "7", "--format", "json", "--jobs", "1")
    assert report(again)["mismatches"] == report(once)["mismatches"]


# --- many objects ----------------------------------------------------------------------------------------------------


def many(number: int) -> Iterator[str]:
    for n in range(number):
        yield json.dumps(thing(f"n{n % 900}", count=n % 50))


def without_times(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if "econds" not in name}


def test_processes_come_to_the_same_results(things: Program) -> None:
    (things.directory / "many.jsonl").write_text("\n".join(many(6000)))
    one, two = (compare(things, "-f", "many.jsonl", "--format", "json", "--jobs", jobs) for jobs in ("1", "2"))
    assert without_times(report(one)) == without_times(report(two))
    assert report(one)["totals"]["compared"] == 6000


SLOW = """
import time

from checks import validate as check


def validate(obj, old, op):
    time.sleep(0.001)
    return check(obj, old, op)
"""


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (ProgressState(1, 1, 2.0, 0.5, 61), "comparing 1 object, 2/s, 50%, 1:01 left, 1 mismatch"),
        (ProgressState(1200, 0, 2.0), "comparing 1,200 objects, 2/s, 0 mismatches"),
        (ProgressState(examples=1), "making 1 example small"),
    ],
)
def test_progress_is_told_in_words(told: ProgressState, wanted: str) -> None:
    assert _sentence(told) == wanted


@pytest.mark.process
def test_progress_is_for_terminals(things: Program) -> None:
    things.write({"slow.py": SLOW})
    (things.directory / "many.jsonl").write_text("\n".join(many(2500)))
    arguments: tuple[str, ...] = (
        "compare",
        "apis",
        "--option",
        "Glitter=true",
        "-f",
        "many.jsonl",
        "--jobs",
        "1",
    )
    arguments += ("--handwritten", "python:slow.py:validate")
    silent = things(*arguments, "--allow", "9999")
    assert silent.err == ""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        things.command(*arguments), cwd=things.directory, env=things.environ(), stdout=subprocess.DEVNULL, stderr=theirs
    ) as process:
        os.close(theirs)
        told = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            told += part
    os.close(ours)
    assert process.returncode == 1
    assert b"objects" in told
    assert b"/s" in told
    assert b"left" in told


# --- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--handwritten", "python:checks.py:valdate", "-f", "good.jsonl"], "did you mean validate?"),
        (["--handwritten", "python:check.py:validate", "-f", "good.jsonl"], "check.py"),
        (["--handwritten", "https://example.com", "-f", "good.jsonl"], "webhook:https://example.com"),
        (["--handwritten", "exec:no-such-program", "-f", "good.jsonl"], "no-such-program"),
        (["--handwritten", "python:checks.py:validate"], "nothing to compare"),
        (["-f", "good.jsonl"], "no handwritten validator is named"),
        (["--handwritten", "python:checks.py:validate", "-f", "none.jsonl"], "none.jsonl"),
        (["--handwritten", "python:checks.py:validate", "--fuzz", "3", "--kind", "Thnig"], "did you mean Thing"),
        (["--handwritten", "python:checks.py:validate", "-f", "good.jsonl", "--normalize", "("], "--normalize"),
        (["--handwritten", "python:checks.py:validate", "-f", "good.jsonl", "--report", "apis"], "directory"),
        (
            ["--handwritten", "python:checks.py:validate", "-f", "good.jsonl", "--report", "checks.py"],
            "checks.py",
        ),
    ],
)
def test_mistakes_are_told(things: Program, arguments: list[str], told: str) -> None:
    before = things.files()
    done = things("compare", "apis", *arguments)
    assert done.code == 2
    assert told in done.err.replace("\n", " ")
    assert {name: text for name, text in things.files().items() if "__pycache__" not in name} == before


@pytest.mark.process
def test_the_core_is_enough(things: Program) -> None:
    """Neither Hypothesis nor a client of webhooks or metrics is imported unless it is asked for."""
    names = ("hypothesis", "urllib3", "prometheus_client")
    things.write({"sitecustomize.py": f"import sys\nfor name in {names}:\n    sys.modules[name] = None\n"})
    path = os.pathsep.join([str(things.directory), things.environ()["PYTHONPATH"]])

    def run(handwritten: str, *arguments: str) -> Done:
        return things.process("compare", "apis", "--handwritten", handwritten, *arguments, PYTHONPATH=path)

    ours = ("python:checks.py:validate", "--option", "Glitter=true")
    everything = ("--report", "page.html", "--history", "runs.jsonl", "--cases", "cases")
    done = run(*ours, "-f", "good.jsonl", *everything)
    assert (done.code, done.err) == (0, "")
    metrics = run(*ours, "-f", "good.jsonl", "--metrics-file", "a.prom")
    assert (metrics.code, "validation-gen[metrics]" in metrics.err) == (2, True)
    fuzz = run(*ours, "--fuzz", "5")
    assert (fuzz.code, "pip install 'validation-gen[fuzz]'" in fuzz.err) == (2, True)
    webhook = run("webhook:https://a.example", "-f", "good.jsonl")
    assert (webhook.code, "validation-gen[webhook]" in webhook.err) == (2, True)


# A small process in between: what one begins with counts among the memory of its children.
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.process
def test_memory_does_not_grow_with_the_input(things: Program) -> None:
    """The benchmark has a million objects; here 20,000 must not take more than 4,000 do, but for some noise."""
    peaks = []
    for number in (4000, 20000):
        (things.directory / "many.jsonl").write_text("\n".join(many(number)))
        arguments: tuple[str, ...] = ("compare", "apis", "--option", "Glitter=true", "-f", "many.jsonl")
        arguments += ("--jobs", "1", "--handwritten", "python:checks.py:validate", "--allow", "99999")
        command = [sys.executable, "-c", MEASURED, *things.command(*arguments)]
        done = subprocess.run(
            command, cwd=things.directory, env=things.environ(), capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stdout))
    assert peaks[1] < peaks[0] * 1.15


def test_the_project_can_name_the_functions(things: Program, tmp_path: Path) -> None:
    things.write({"pyproject.toml": '[tool.validation-gen.handwritten]\n"things/v1.Thing" = "checks:validate"\n'})
    given = ("-f", "ones.jsonl", "--option", "Glitter=true", "--format", "json", "--trust")
    done = things("compare", "apis", *given)
    assert (done.code, report(done)["totals"]["mismatches"]) == (1, 2)
    things.write({"pyproject.toml": '[tool.validation-gen.handwritten]\n"things/v1.Thing" = "checks:valdate"\n'})
    wrong = things("compare", "apis", "-f", "ones.jsonl", "--trust")
    assert (wrong.code, "pyproject.toml:2:" in wrong.err, "did you mean validate" in wrong.err) == (2, True, True)
