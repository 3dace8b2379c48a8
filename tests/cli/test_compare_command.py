"""`validation-gen compare` as a process: what it prints and writes, how it ends, that it can be stopped and go on."""

from __future__ import annotations

import gzip
import json
import os
import pty
import signal
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Program

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


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_agreement_is_success(things: Program) -> None:
    before = things.files()
    done = compare(things, "--objects", "good.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("2 requests compared, 100 % agree, no mismatches\n")
    assert things.files() == before


def test_a_mismatch_is_told_with_object_tag_and_line(things: Program) -> None:
    done = compare(things, "--objects", "ones.jsonl", "--format", "json")
    (found,) = report(done)["mismatches"]
    assert done.code == 1
    assert (found["cause"], found["side"], found["count"]) == ("rule differs", "handwritten", 2)
    assert (found["path"], found["type"], found["origin"]) == ("spec.count", "FieldValueInvalid", "minimum")
    assert found["tag"] == "+k8s:minimum=1"
    assert found["source"] == "example.com/m/apis/things/v1/types.go:20:5"
    assert found["excerpt"]["file"] == "apis/things/v1/types.go:20:5"
    assert found["example"]["obj"]["spec"] == {"name": "a", "count": 1}
    assert [error["field"] for error in found["example"]["handwritten"]] == ["spec.count"]
    assert found["example"]["declarative"] == []


@pytest.mark.parametrize(("allowed", "code"), [("0", 1), ("1", 1), ("2", 0)])
def test_some_mismatches_can_be_allowed(things: Program, allowed: str, code: int) -> None:
    assert compare(things, "--objects", "ones.jsonl", "--allow", allowed).code == code


def test_updates_are_compared_with_the_old_object(things: Program) -> None:
    new, old = thing(color="red"), thing(color="blue")
    requests = [
        {"kind": "Thing", "package": "things/v1", "op": "update", "obj": new, "oldObj": old},
        {"kind": "Thing", "op": "update", "obj": old, "oldObj": old},
        {"kind": "Thing", "op": "update", "obj": thing("toolong"), "oldObj": thing("toolong"), "subresources": []},
    ]
    done = compare(things, "--objects", "-", "--format", "json", stdin=lines(*requests))
    assert report(done)["kinds"][0] | {"kind": ""} == {
        "kind": "",
        "operation": "update",
        "agreeing": 3,
        "differing": 0,
        "invalid": 1,
        "mismatches": 0,
        "expected": 0,
        "panics": 0,
        "duplicates": 0,
    }
    things.write({"old.jsonl": lines(old), "new.jsonl": lines(new)})
    paired = compare(things, "--objects", "new.jsonl", "--old", "old.jsonl", "--format", "json")
    assert report(paired)["kinds"][0]["operation"] == "update"


def test_what_does_not_decode_is_counted_and_not_compared(things: Program) -> None:
    objects = lines(thing(), thing(count="many"), {"apiVersion": "v1", "kind": "Pod"}) + "{nonsense\n"
    things.write({"mixed.jsonl": objects})
    done = compare(things, "--objects", "mixed.jsonl", "--format", "json")
    assert (done.code, report(done)["totals"]["compared"], report(done)["totals"]["bad"]) == (0, 1, 3)
    notes = report(done)["notes"]
    assert [note.partition(": ")[0] for note in notes] == ["mixed.jsonl:2", "mixed.jsonl:3", "mixed.jsonl:4:2"]
    assert "spec.count" in notes[0]
    assert "there are no validators for v1 Pod" in notes[1]
    assert "{nonsense" in notes[2]
    strict = compare(things, "--objects", "mixed.jsonl", "--strict")
    assert strict.code == 2
    assert "mixed.jsonl:2: the object does not decode" in strict.err


def test_gzip_yaml_and_folders(things: Program) -> None:
    (things.directory / "dump").mkdir()
    with gzip.open(things.directory / "dump" / "a.jsonl.gz", "wb") as file:
        file.write(lines(thing(), thing("b")).encode())
    things.write(
        {"dump/b.yaml": "apiVersion: example.com/v1\nkind: Thing\nspec: {name: c}\n---\n" + json.dumps(thing("d"))}
    )
    done = compare(things, "--objects", "dump", "--format", "json")
    assert (done.code, report(done)["totals"]["compared"]) == (0, 4)


# --- what is expected, and by which rules ----------------------------------------------------------------------------

EXPECTED = """
expected:
- {{kind: Thing, path: spec.count, type: FieldValueInvalid, origin: minimum, reason: a pair at least, expires: {}}}
"""


def test_expected_differences_do_not_count(things: Program) -> None:
    things.write({"expected.yaml": EXPECTED.format("2999-12-31")})
    done = compare(things, "--objects", "ones.jsonl", "--expected", "expected.yaml", "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert [found["expected"] for found in report(done)["mismatches"]] == ["a pair at least"]
    assert (report(done)["totals"]["mismatches"], report(done)["totals"]["expected"]) == (0, 2)


def test_an_entry_that_is_not_needed_is_told(things: Program) -> None:
    """Although there is another one with the same reason."""
    unused = "- {kind: Thing, path: spec.name, reason: a pair at least}\n"
    things.write({"expected.yaml": EXPECTED.format("2999-12-31") + unused})
    done = compare(things, "--objects", "ones.jsonl", "--expected", "expected.yaml")
    assert done.code == 0
    assert [line for line in done.err.splitlines() if "-->" in line] == [" --> expected.yaml:4:3"]
    assert "VG603" in done.err


def test_an_expired_entry_is_a_finding_and_hides_nothing(things: Program) -> None:
    things.write({"expected.yaml": EXPECTED.format("2001-12-31")})
    done = compare(things, "--objects", "ones.jsonl", "--expected", "expected.yaml")
    assert done.code == 1
    assert "expected.yaml:3:" in done.err
    assert "VG602" in done.err
    assert "2 mismatches" in done.out
    gone = compare(things, "--objects", "good.jsonl", "--expected", "expected.yaml")
    assert (gone.code, "VG602" in gone.err) == (1, True)


def test_the_lifecycle_compares_only_what_is_marked(things: Program) -> None:
    """Everything is standard here, and no error is marked: there is nothing to compare."""
    done = compare(things, "--objects", "ones.jsonl", "--lifecycle")
    assert done.code == 0
    types = (things.directory / "apis/things/v1/types.go").read_text()
    beta = types.replace("+k8s:minimum=1", '+k8s:beta(since: "1.37")=+k8s:minimum=1').replace(
        "// +k8s:optional\n\t// +k8s:beta", '// +k8s:beta(since: "1.37")=+k8s:optional\n\t// +k8s:beta'
    )
    marked = CHECKS.replace('with_origin("minimum")', 'with_origin("minimum").covered_by_declarative().beta()')
    things.write({"apis/things/v1/types.go": beta, "checks.py": marked})
    done = compare(things, "--objects", "ones.jsonl", "--lifecycle", "--format", "json")
    (found,) = report(done)["mismatches"]
    assert (done.code, found["cause"], found["tag"]) == (1, "rule differs", '+k8s:beta(since: "1.37")=+k8s:minimum=1')
    assert "Consider disabling the DeclarativeValidationBeta feature gate" in found["example"]["message"]
    gates = ("--feature-gates", "DeclarativeValidationBeta=false")
    off = compare(things, "--objects", "ones.jsonl", "--lifecycle", *gates, "--format", "json")
    assert "hand written validation is authoritative" in report(off)["mismatches"][0]["example"]["message"]
    old = compare(things, "--objects", "ones.jsonl", "--lifecycle", "--feature-gates", "DeclarativeValidation=false")
    assert (old.code, "locked" in old.err) == (2, True)


def test_paths_can_be_rewritten(things: Program) -> None:
    things.write({"checks.py": CHECKS.replace('Path("spec")', 'Path("specification")').replace("< 2", "< 1")})
    assert compare(things, "--objects", "ones.jsonl").code == 1
    assert compare(things, "--objects", "ones.jsonl", "--normalize", "^spec\\.=specification.").code == 0


# --- files -----------------------------------------------------------------------------------------------------------


def test_reports_in_all_forms(things: Program) -> None:
    done = compare(things, "--objects", "ones.jsonl", "--format", "junit")
    suites = ET.fromstring(done.out)
    assert [int(suite.get("failures", "")) for suite in suites.iter("testsuite")] == [1]
    done = compare(things, "--objects", "ones.jsonl", "--format", "sarif")
    (result,) = json.loads(done.out)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("apis/things/v1/types.go", 20)
    assert compare(things, "--objects", "ones.jsonl", "--format", "concise").out.startswith(
        "apis/things/v1/types.go:20:5: rule differs: 2 x example.com/v1/Thing"
    )


def test_the_page_shows_the_trend_of_the_history(things: Program) -> None:
    for objects in ("ones.jsonl", "good.jsonl"):
        compare(things, "--objects", objects, "--history", "runs.jsonl", "--report", "page.html")
    page = (things.directory / "page.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert len((things.directory / "runs.jsonl").read_text().splitlines()) == 2
    assert "no mismatches" in page.lower()


def test_metrics_count_as_the_server_does(things: Program) -> None:
    parser = pytest.importorskip("prometheus_client.parser")
    compare(things, "--objects", "ones.jsonl", "--metrics-file", "compare.prom", "--metrics-prefix", "shop_")
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
    done = compare(things, "--objects", "ones.jsonl", "--cases", "cases")
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
    one, two = (compare(things, "--objects", "many.jsonl", "--format", "json", "--jobs", jobs) for jobs in ("1", "2"))
    assert without_times(report(one)) == without_times(report(two))
    assert report(one)["totals"]["compared"] == 6000


SLOW = """
import time

from checks import validate as check


def validate(obj, old, op):
    time.sleep(0.001)
    return check(obj, old, op)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_comparison_goes_on(things: Program, jobs: str) -> None:
    things.write({"slow.py": SLOW})
    (things.directory / "many.jsonl").write_text("\n".join(many(6000)))
    arguments: tuple[str, ...] = (
        "compare",
        "apis",
        "--option",
        "Glitter=true",
        "--objects",
        "many.jsonl",
        "--format",
        "json",
    )
    arguments += ("--jobs", jobs, "--resume", "state.json", "--handwritten", "python:slow.py:validate")
    with things.start(*arguments) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, b"Traceback" in err) == (130, False), err
    first = json.loads(out)
    assert first["interrupted"]
    assert 0 < first["totals"]["compared"] < 6000
    assert (things.directory / "state.json").exists()
    other = things(*arguments, "--allow", "1", "--normalize", "a=b")
    assert (other.code, "another comparison" in other.err) == (2, True)
    whole = things(*arguments)
    assert whole.code == 1
    assert not (things.directory / "state.json").exists()
    plain = things(*[each for each in arguments if each not in ("--resume", "state.json")])
    assert without_times(report(whole)) == without_times(report(plain))


def test_progress_is_for_terminals(things: Program) -> None:
    things.write({"slow.py": SLOW})
    (things.directory / "many.jsonl").write_text("\n".join(many(2500)))
    arguments: tuple[str, ...] = (
        "compare",
        "apis",
        "--option",
        "Glitter=true",
        "--objects",
        "many.jsonl",
        "--jobs",
        "1",
    )
    arguments += ("--handwritten", "python:slow.py:validate")
    silent = things(*arguments, "--allow", "9999")
    assert silent.err == ""
    ours, theirs = pty.openpty()
    import subprocess  # noqa: PLC0415 - this test alone gives a process a terminal

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
        (["--handwritten", "python:checks.py:valdate", "--objects", "good.jsonl"], "did you mean validate?"),
        (["--handwritten", "python:check.py:validate", "--objects", "good.jsonl"], "check.py"),
        (["--handwritten", "https://example.com", "--objects", "good.jsonl"], "webhook:https://example.com"),
        (["--handwritten", "exec:no-such-program", "--objects", "good.jsonl"], "no-such-program"),
        (["--handwritten", "python:checks.py:validate"], "nothing to compare"),
        (["--objects", "good.jsonl"], "no handwritten validator is named"),
        (["--handwritten", "python:checks.py:validate", "--objects", "none.jsonl"], "none.jsonl"),
        (["--handwritten", "python:checks.py:validate", "--fuzz", "3", "--kind", "Thnig"], "did you mean Thing"),
        (["--handwritten", "python:checks.py:validate", "--objects", "good.jsonl", "--normalize", "("], "--normalize"),
        (["--handwritten", "python:checks.py:validate", "--objects", "good.jsonl", "--report", "apis"], "directory"),
        (
            ["--handwritten", "python:checks.py:validate", "--objects", "good.jsonl", "--report", "checks.py"],
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


def test_the_core_is_enough(things: Program) -> None:
    """Neither Hypothesis nor a client of webhooks or metrics is imported unless it is asked for."""
    names = ("hypothesis", "urllib3", "prometheus_client")
    things.write({"sitecustomize.py": f"import sys\nfor name in {names}:\n    sys.modules[name] = None\n"})
    path = os.pathsep.join([str(things.directory), things.environ()["PYTHONPATH"]])
    everything = ("--report", "page.html", "--metrics-file", "a.prom", "--history", "runs.jsonl", "--cases", "cases")
    done = compare(things, "--objects", "good.jsonl", *everything, PYTHONPATH=path)
    assert (done.code, done.err) == (0, "")
    fuzz = compare(things, "--fuzz", "5", PYTHONPATH=path)
    assert (fuzz.code, "pip install 'validation-gen[fuzz]'" in fuzz.err) == (2, True)
    webhook = things(
        "compare", "apis", "--handwritten", "webhook:https://a.example", "--objects", "good.jsonl", PYTHONPATH=path
    )
    assert (webhook.code, "validation-gen[webhook]" in webhook.err) == (2, True)


def test_a_handwritten_crash_is_one_input_less(things: Program) -> None:
    things.write({"checks.py": CHECKS + "\n\ndef picky(obj):\n    return [] if obj['spec']['count'] else []\n"})
    done = things(
        "compare",
        "apis",
        "--handwritten",
        "python:checks.py:picky",
        "--objects",
        "good.jsonl",
        "--option",
        "Glitter=true",
    )
    assert "KeyError: 'count'" in done.out
    assert "checks.py:" in done.out
    assert done.code == 0


def test_a_process_that_dies_is_told(things: Program) -> None:
    dies = "import multiprocessing\nimport os\nimport time\n\n\ndef validate(obj):\n    time.sleep(0.002)\n"
    dies += "    if multiprocessing.parent_process() is not None:\n        os._exit(3)\n"
    things.write({"checks.py": dies})
    (things.directory / "many.jsonl").write_text("\n".join(many(5000)))
    done = compare(things, "--objects", "many.jsonl", "--jobs", "2")
    assert done.code == 2
    assert "has ended" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such file")
def test_memory_does_not_grow_with_the_input(things: Program) -> None:
    """The benchmark has a million objects; here 40,000 must not take more than 4,000 do, but for some noise."""
    peaks = []
    for number in (4000, 40000):
        (things.directory / "many.jsonl").write_text("\n".join(many(number)))
        arguments: tuple[str, ...] = (
            "compare",
            "apis",
            "--option",
            "Glitter=true",
            "--objects",
            "many.jsonl",
            "--jobs",
            "1",
        )
        arguments += ("--handwritten", "python:checks.py:validate", "--allow", "99999")
        with things.start(*arguments) as process:
            assert process.stdout is not None
            process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        peaks.append(usage.ru_maxrss)
    assert peaks[1] < peaks[0] * 1.15


def test_the_project_can_name_the_functions(things: Program, tmp_path: Path) -> None:
    things.write({"pyproject.toml": '[tool.validation-gen.handwritten]\n"things/v1.Thing" = "checks:validate"\n'})
    done = things("compare", "apis", "--objects", "ones.jsonl", "--option", "Glitter=true", "--format", "json")
    assert (done.code, report(done)["totals"]["mismatches"]) == (1, 2)
    things.write({"pyproject.toml": '[tool.validation-gen.handwritten]\n"things/v1.Thing" = "checks:valdate"\n'})
    wrong = things("compare", "apis", "--objects", "ones.jsonl")
    assert (wrong.code, "pyproject.toml:2:" in wrong.err, "did you mean validate" in wrong.err) == (2, True, True)
