"""`validation-gen coverage`: the report, what it reads, and how it ends."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

from tests.cli.conftest import TYPES, Program

KIND = {"package": "example.com/m/apis/things/v1", "kind": "Thing"}
#: One error of each rule of the API.
ERRORS = {
    "required": {"type": "FieldValueRequired", "field": "spec.name"},
    "maxLength": {"type": "FieldValueTooLong", "field": "spec.name", "origin": "maxLength"},
    "minimum": {"type": "FieldValueInvalid", "field": "spec.count", "origin": "minimum"},
    "immutable": {"type": "FieldValueInvalid", "field": "spec.color", "origin": "immutable"},
    "forbidden": {"type": "FieldValueForbidden", "field": "spec.glitter", "origin": ""},
}
ALLOW = """\
- kind: Thing
  path: spec.color
  type: FieldValueInvalid
  origin: immutable
  reason: updates are tested elsewhere
"""


def _at(tag: str) -> str:
    """Where a tag of the API stands."""
    line = next(n for n, line in enumerate(TYPES.splitlines(), 1) if line.endswith(tag))
    return f"apis/things/v1/types.go:{line}:5"


def _record(*names: str, **others: Any) -> str:
    return json.dumps({**KIND, "errors": [ERRORS[name] for name in names], **others}) + "\n"


ALL = _record(*ERRORS)
ALL_BUT_ONE = _record(*(name for name in ERRORS if name != "immutable"))


def test_all_triggered(project: Program) -> None:
    project.write({"results.jsonl": ALL})
    done = project("coverage", "apis", "--tests", "results.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "KIND                                DECLARED  TRIGGERED  ALLOWED  MISSING\n"
        "example.com/m/apis/things/v1.Thing         5          5        0        0\n"
        "\n"
        "5 errors declared: 5 triggered, 0 allowed, 0 missing\n"
    )


def test_what_is_missing_is_listed_with_its_place(project: Program) -> None:
    project.write({"results.jsonl": _record("required", "minimum")})
    done = project("coverage", "apis", "--tests", "results.jsonl")
    assert done.code == 1
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[1] == ["example.com/m/apis/things/v1.Thing", "5", "2", "0", "3"]
    assert "No test triggers, of example.com/m/apis/things/v1.Thing:" in done.out
    assert [_at("+k8s:immutable"), "spec.color", "FieldValueInvalid", "immutable", "+k8s:immutable"] in lines
    assert [_at("+k8s:maxLength=5"), "spec.name", "FieldValueTooLong", "maxLength", "+k8s:maxLength=5"] in lines
    forbidden = '+k8s:ifDisabled("Glitter")=+k8s:forbidden'
    assert [_at("=+k8s:forbidden"), "spec.glitter", "FieldValueForbidden", "-", forbidden] in lines
    assert done.out.endswith("5 errors declared: 2 triggered, 0 allowed, 3 missing\n")


def test_answers_of_stdio_are_results(project: Program) -> None:
    requests = [
        {
            **KIND,
            "id": 1,
            "options": {"Glitter": False},
            "obj": {"spec": {"name": "abcdef", "count": 0, "glitter": ""}},
        },
        {"kind": "Thing", "id": 2, "options": {"Glitter": True}, "obj": {}},
        {**KIND, "id": 3, "op": "update", "options": {}, "obj": {"spec": {"color": "a"}}, "oldObj": {}},
    ]
    answers = project(
        "webhook", "stdio", "apis", stdin="".join(json.dumps(r) + "\n" for r in requests)
    ).out.splitlines()
    joined = [json.dumps({**r, **json.loads(a)}) for r, a in zip(requests, answers, strict=True)]
    done = project("coverage", "apis", "--tests", "-", stdin="\n".join(joined))
    assert (done.code, done.err) == (0, "")


def test_packages_by_their_end_and_versions(project: Program) -> None:
    project.write(
        {
            "end.jsonl": _record("required", "maxLength", package="things/v1"),
            "version.jsonl": _record("minimum", "immutable", package=None, apiVersion="example.com/v1"),
            "kind.jsonl": "\n" + _record("forbidden", package=None),
            "others.jsonl": _record(*ERRORS, package="v2") + _record(*ERRORS, kind="Other") + _record(),
        }
    )
    files = ("end", "version", "kind", "others")
    done = project("coverage", "apis", *(part for file in files for part in ("--tests", f"{file}.jsonl")))
    assert done.code == 0, done.out
    assert project("coverage", "apis", "--tests", "others.jsonl").code == 1


def test_an_allowance_excuses(project: Program) -> None:
    project.write({"results.jsonl": ALL_BUT_ONE, "allow.yaml": ALLOW})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "allow.yaml")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].split()[1:] == ["5", "4", "1", "0"]


def test_stars_and_several_files(project: Program) -> None:
    stars = '- {kind: "*", path: "*", type: FieldValueForbidden, origin: "", reason: it glitters}\n'
    project.write({"results.jsonl": _record("required", "maxLength", "minimum"), "a.yaml": ALLOW, "b.yaml": stars})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "a.yaml", "--allow", "b.yaml")
    assert (done.code, done.err) == (0, "")


def test_an_entry_that_is_not_needed_is_a_finding(project: Program) -> None:
    lost = "- {kind: Thing, path: spec.size, type: FieldValueInvalid, origin: '*', reason: it is gone}\n"
    project.write({"results.jsonl": ALL, "allow.yaml": f"# why\n{ALLOW}{lost}"})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "allow.yaml")
    assert done.code == 1
    assert "allow.yaml:2:3: this entry is not needed: tests trigger all of its errors\n" in done.out
    assert "allow.yaml:7:3: this entry is not needed: no tag declares such an error\n" in done.out


def test_json(project: Program) -> None:
    lost = "- {kind: Thing, path: spec.size, type: FieldValueInvalid, origin: '*', reason: it is gone}\n"
    project.write({"results.jsonl": _record("required", "minimum", "forbidden"), "allow.yaml": ALLOW + lost})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "allow.yaml", "--format", "json")
    assert (done.code, done.err) == (1, "")
    report = json.loads(done.out)
    assert report["summary"] == {"declared": 5, "triggered": 3, "allowed": 1, "missing": 1}
    states = {(rule["path"], rule["type"]): rule["state"] for rule in report["rules"]}
    assert states == {
        ("spec.color", "FieldValueInvalid"): "allowed",
        ("spec.count", "FieldValueInvalid"): "triggered",
        ("spec.glitter", "FieldValueForbidden"): "triggered",
        ("spec.name", "FieldValueRequired"): "triggered",
        ("spec.name", "FieldValueTooLong"): "missing",
    }
    assert report["rules"][0] == {
        "package": "example.com/m/apis/things/v1",
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "path": "spec.color",
        "type": "FieldValueInvalid",
        "origin": "immutable",
        "tag": "+k8s:immutable",
        "source": _at("+k8s:immutable"),
        "state": "allowed",
        "reason": "updates are tested elsewhere",
    }
    (stale,) = report["stale"]
    assert (stale["path"], stale["source"], stale["reason"]) == ("spec.size", "allow.yaml:6:3", "it is gone")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "this line is no test result: not JSON: Expecting property name"),
        ("[1]", "this line is no test result: not a JSON object"),
        ('"\\ud800"', "this line is no test result: not a JSON object"),
        ("[" * 100_000, "this line is no test result: not JSON"),
        (b"\xff", "this line is no test result: not JSON: 'utf-8' codec"),
        ('{"errors": []}', "this line is no test result: kind is missing"),
        ('{"kind": 1, "errors": []}', "this line is no test result: kind is not a string"),
        ('{"kind": "Thing"}', "this line is no test result: it has no list of errors"),
        ('{"kind": "Thing", "error": "no kind"}', "this line is no test result: it has no list of errors: no kind"),
        ('{"kind": "Thing", "errors": [1]}', "this line is no test result: an error has no type or no field"),
        (
            '{"kind": "Thing", "errors": [{"type": "X"}]}',
            "this line is no test result: an error has no type or no field",
        ),
        (
            '{"kind": "Thing", "errors": [{"type": "X", "field": 1}]}',
            "this line is no test result: field is not a string",
        ),
    ],
    ids=str,
)
def test_a_line_that_is_no_result(project: Program, line: str | bytes, message: str) -> None:
    data = line if isinstance(line, bytes) else line.encode()
    (project.directory / "results.jsonl").write_bytes(ALL.encode() + b"\n" + data + b"\n")
    done = project("coverage", "apis", "--tests", "results.jsonl", "--format", "json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"results.jsonl:3:1: error VG901 {message}")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            ALLOW.replace("  reason: updates are tested elsewhere\n", ""),
            "1:3",
            "this entry is no allowance: reason is missing",
        ),
        (ALLOW.replace("updates are tested elsewhere", "''"), "1:3", "this entry is no allowance: reason is missing"),
        (ALLOW.replace("  path: spec.color\n", ""), "1:3", "this entry is no allowance: path is missing"),
        (f"{ALLOW}  why: so\n", "1:3", "this entry is no allowance: there is no key 'why'"),
        (f"{ALLOW}- [Thing]\n", "6:3", "this entry is no allowance: not a mapping"),
        (ALLOW.replace("spec.color", "[a]"), "1:3", "this entry is no allowance: path is not a string"),
        ("kind: Thing\n", "1:1", "this entry is no allowance: path is missing"),
        ("text\n", "1:1", "this entry is no allowance: not a mapping"),
        ("- ? [a]\n  : b\n", "1:5", "not YAML: a key must be a scalar"),
        (ALLOW.replace("Thing", "*"), "1:10", "not YAML"),
        ("- {\n", "2:1", "not YAML"),
        (f"%TAG !e! tag:example.com,2026:\n---\n{ALLOW}", "1:1", "not YAML"),
        (f"- !thing\n  kind: A\n{ALLOW}", "1:3", "not YAML: the tag `!thing` is not known"),
        (f"- {'[' * 5_000}", "1:1001", "not YAML: nested deeper"),
        (f"{ALLOW}---\n{ALLOW}", "7:1", "there is more than one document"),
    ],
)
def test_a_file_that_allows_nothing(project: Program, text: str, place: str, message: str) -> None:
    project.write({"results.jsonl": ALL_BUT_ONE, "allow.yaml": text})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "allow.yaml", "--format", "json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"allow.yaml:{place}: error VG901 {message}")


def test_files_that_cannot_be_read(project: Program) -> None:
    done = project("coverage", "apis", "--tests", "none.jsonl", "--allow", "none.yaml")
    assert (done.code, done.out) == (2, "")
    assert "none.jsonl" in done.err
    assert "none.yaml" in done.err
    (project.directory / "latin.yaml").write_bytes(b"- \xff\n")
    project.write({"results.jsonl": ALL})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "latin.yaml")
    assert done.code == 2
    assert "not UTF-8" in done.err


def test_empty_files_are_no_mistake(project: Program) -> None:
    project.write({"results.jsonl": "", "allow.yaml": "# nothing yet\n"})
    done = project("coverage", "apis", "--tests", "results.jsonl", "--allow", "allow.yaml")
    assert (done.code, done.err) == (1, "")
    assert done.out.endswith("5 errors declared: 0 triggered, 0 allowed, 5 missing\n")


def test_an_api_without_rules_has_nothing_to_trigger(program: Program) -> None:
    program.write({"go.mod": "module m\n", "doc.go": "// +k8s:validation-gen=*\npackage v1\n\ntype T struct{}\n"})
    done = program("coverage", ".", "--tests", "-")
    assert (done.code, done.out) == (0, "0 errors declared: 0 triggered, 0 allowed, 0 missing\n")


def test_errors_in_the_sources_are_findings(project: Program) -> None:
    bad = "package v1\n\n// +k8s:validation-gen=true\ntype Bad struct {\n\t// +k8s:maxLength=many\n\tName string\n}\n"
    project.write({"results.jsonl": ALL, "apis/things/v1/bad.go": bad})
    done = project("coverage", "apis", "--tests", "results.jsonl")
    assert done.code == 1
    assert "VG203" in done.err


def test_options(project: Program) -> None:
    assert project("coverage", "apis").code == 2, "tests must be named"
    project.write({"results.jsonl": ALL})
    common = ("--require-directive", "--readonly-pkg", "k8s.io/...", "--target", "1.37")
    assert project("coverage", "apis", "--tests", "results.jsonl", *common).code == 0
    assert project("coverage", "apis", "--tests", "results.jsonl", "--target", "1.2").code == 2


def test_a_cluster_sees_what_one_process_sees(project: Program) -> None:
    pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
    noise = _record("minimum", note="x" * 200) * 8000  # makes two parts
    project.write(
        {"results.jsonl": _record("required") + noise + _record("maxLength"), "more.jsonl": _record("immutable")}
    )
    command = ("coverage", "apis", "--tests", "results.jsonl", "--tests", "more.jsonl")
    alone = project(*command)
    shared = project(*command, "--cluster", "local:1", "--partition-size", "1", "--resume", "state.json")
    assert (alone.code, alone.out, alone.err) == (shared.code, shared.out, shared.err)
    assert alone.out.endswith("5 errors declared: 4 triggered, 0 allowed, 1 missing\n")
    assert not (project.directory / "state.json").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--tests", "-", "--cluster", "local"), "the processes of a cluster cannot read standard input"),
        (("--tests", "results.jsonl", "--cluster", "there"), "'there' is no cluster"),
        (("--tests", "results.jsonl", "--resume", "state.json"), "work on one machine is not kept; name a --cluster"),
        (
            ("--tests", "results.jsonl", "--cluster", "local:1", "--resume", "results.jsonl"),
            "results.jsonl: it does not hold the state of work",
        ),
    ],
)
def test_what_cannot_be_done_on_a_cluster_is_told(project: Program, arguments: tuple[str, ...], told: str) -> None:
    project.write({"results.jsonl": ALL})
    done = project("coverage", "apis", *arguments)
    assert done.code == 2
    assert told in " ".join(done.err.replace("│", " ").split())
    assert (project.directory / "results.jsonl").read_text() == ALL


def test_a_configuration_may_say_where_work_on_a_cluster_is_kept(project: Program) -> None:
    project.write({"results.jsonl": ALL, "validation-gen.toml": "[coverage]\nresume = 'state.json'\n"})
    done = project("coverage", "apis", "--tests", "results.jsonl")
    assert (done.code, done.err) == (0, "")
    assert not (project.directory / "state.json").exists()


@pytest.mark.process
def test_interrupted(project: Program) -> None:
    project.write({"results.jsonl": "no result\n"})
    with project.start("coverage", "apis", "--tests", "results.jsonl", "--tests", "-") as process:
        assert process.stdin
        process.stdin.write(b"{}\n" * 500_000)  # more than waits in a pipe: it is being read
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, b"")
    assert b"this line is no test result" in err
    assert err.endswith(b"interrupted: there is no report of a part of the tests\n")
