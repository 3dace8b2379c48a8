"""Formats for other programs: whatever a command does, standard output holds one valid document and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
import yaml
from typer.testing import Result

from tests.cli.conftest import TYPES, Program
from tests.cli.test_coverage_command import ALL, ALL_BUT_ONE, ALLOW
from tests.documents import junit_of, needs_the_sarif_schema, sarif_of
from tests.kubernetes.crd.schemas import definition, with_properties
from tests.program import invoke
from tests.tables import each
from validation_gen.diagnostics.formats import DiagnosticFormat

Level = tuple[str, str]

CHECKS = """
from validation_gen.mismatch import FieldError


def agrees(obj):
    return []


def differs(obj):
    return [FieldError.invalid("spec.count", 1, "too few")]
"""
GOOD = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {name: a}\n"
BAD = GOOD + "---\n" + GOOD.replace("{name: a}\nspec: {name: a}", "{name: b}\nspec:\n  name: much too long\n  count: 0")

FILES = {
    "good.yaml": GOOD,
    "bad.yaml": BAD,
    "crd/good.yaml": yaml.safe_dump(definition()),
    "good.celtest.yaml": "cases: [{rule: self > 1, value: 2, valid: true}]\n",
    "bad.celtest.yaml": "cases: [{rule: self > 1, value: 1, valid: true}]\n",
    "less.celtest.yaml": "schema: {type: integer}\nrules: [{rule: self > 1}]\ncases: [{value: 2, valid: true}]\n",
    "crd/bad.yaml": yaml.safe_dump(with_properties(a={})),
    "checks.py": CHECKS,
    "seen.jsonl": ALL,
    "less.jsonl": ALL_BUT_ONE,
    "allowed.yaml": ALLOW,
    "wrong/v1/types.go": TYPES.replace("maxLength=5", 'maxLength="5"').replace(
        "// +k8s:required\n", "// +k8s:requird\n"
    ),
}

VALIDATE = ("validate", "apis", "--option", "Glitter")
COMPARE = "compare apis -f good.yaml --option Glitter --handwritten python:checks.py"

#: Commands that find nothing. The names of formats are added.
CLEAN = [
    "apis",
    "generate apis --no-cache",
    "convert apis --to python",
    "crd apis",
    "crd lint crd/good.yaml",
    "openapi apis",
    "jsonschema apis",
    "generate apis --no-cache --emit monitoring",
    "validate apis -f good.yaml --option Glitter",
    "coverage apis --tests seen.jsonl",
    "coverage apis --tests less.jsonl --allow allowed.yaml",
    "cel test good.celtest.yaml",
    f"{COMPARE}:agrees",
]
#: Those that find something, with the codes and the exit code.
FINDING = [
    ("wrong", {"VG103", "VG203"}, 1),
    ("apis --check", {"VG801"}, 1),
    ("check apis", {"VG801"}, 1),
    ("apis nowhere", {"VG902"}, 2),
    ("convert wrong --to go", {"VG902"}, 0),
    ("crd wrong", {"VG103", "VG203"}, 1),
    ("crd lint crd", {"VG501"}, 1),
    ("crd lint gone.yaml", {"VG901"}, 2),
    ("openapi wrong", {"VG103", "VG203"}, 1),
    ("jsonschema wrong", {"VG103", "VG203"}, 1),
    ("validate apis -f bad.yaml --option Glitter", {"VG804"}, 1),
    ("validate apis -f gone.yaml", {"VG901"}, 2),
    ("validate apis -f good.yaml --type Nothing", {"VG904"}, 2),
    ("coverage apis --tests less.jsonl", {"VG805"}, 1),
    ("coverage apis --tests seen.jsonl --allow allowed.yaml", {"VG806"}, 1),
    ("coverage apis --tests gone.jsonl", {"VG901"}, 2),
    ("cel test bad.celtest.yaml", {"VG810"}, 1),
    ("cel test less.celtest.yaml --min-coverage 100", {"VG811"}, 1),
    ("cel test gone.celtest.yaml", {"VG901"}, 2),
    (f"{COMPARE}:differs", {"VG607"}, 1),
    (f"{COMPARE}:missing", {"VG904"}, 2),
]
#: Commands whose `json` is a document of results. Findings beside it go to standard error.
RESULTS = ("validate", "coverage", "compare", "cel")
#: Results, which have words of their own in some formats.
OWN = {"VG804", "VG805", "VG806", "VG810", "VG811", "VG607"}
#: Command lines that are wrong.
MISTAKEN = [
    "apis --nope",
    "generate",
    "apis --module x",
    "apis --target 1.2",
    "validate apis",
    "crd lint",
    "coverage apis",
    "compare apis",
    "validte apis",
]


@pytest.fixture
def here(project: Program) -> Program:
    """The files, for commands in this process."""
    project.write(FILES)
    return project


def run(command: str, format: str) -> Result:
    return invoke([*command.split(), "--format", format])


def of_array(text: str) -> set[Level]:
    """Those of one JSON document: an array of findings or of verdicts, or a report."""
    assert text.isascii()
    document = json.loads(text)
    records = document if isinstance(document, list) else [document]
    return {(record["severity"], record["code"]) for record in records if "code" in record}


def of_lines(text: str) -> set[Level]:
    """The levels and codes of findings among JSON lines. Verdicts and reports are lines, too."""
    assert text.isascii()
    records = [json.loads(line) for line in text.splitlines()]
    assert all(isinstance(record, dict) for record in records)
    return {(record["severity"], record["code"]) for record in records if "code" in record}


def of_commands(text: str) -> set[Level]:
    """Those of workflow commands. Values have none of the characters that would end them."""
    commands = [
        re.fullmatch(r"::(error|warning) ((?:\w+=[^:,\r\n]+,)*)title=(VG\d+)::(.+)", c) for c in text.splitlines()
    ]
    assert all(commands), text
    for command in commands:
        assert command is not None
        assert not re.search("%(?!25|0A|0D|3A|2C)", command[2] + command[4])
    return {(command[1], command[3]) for command in commands if command}


def of_sarif(text: str) -> set[Level]:
    run = sarif_of(text)
    invocation = run["invocations"][0]
    notes = {(n["level"], n["descriptor"]["id"]) for n in invocation.get("toolConfigurationNotifications", ())}
    return notes | {(result["level"], result["ruleId"]) for result in run["results"]}


def of_junit(text: str) -> set[Level]:
    root = junit_of(text)
    assert root.find(".//testcase") is not None
    warnings = re.findall(r"warning (VG\d+)", "\n".join(out.text or "" for out in root.iter("system-out")))
    return {("error", failure.get("type") or "") for failure in root.iter("failure")} | {
        ("warning", w) for w in warnings
    }


READERS: dict[str, Callable[[str], set[Level]]] = {
    "json": of_array,
    "jsonl": of_lines,
    "github": of_commands,
    "sarif": of_sarif,
    "junit": of_junit,
}
each_format = pytest.mark.parametrize("format", READERS)


def test_these_are_all() -> None:
    assert set(READERS) == {format.value for format in DiagnosticFormat if format.owns_stdout}


@each_format
@each("command", CLEAN)
def test_nothing_found(here: Program, command: str, format: str) -> None:
    result = run(command, format)
    assert result.exit_code == 0, result.output
    assert READERS[format](result.stdout) == set()
    assert format == "github" or result.stderr == ""


@each_format
@each(("command", "codes", "exit_code"), FINDING, ids=[command for command, *_ in FINDING])
def test_something_found(here: Program, command: str, codes: set[str], exit_code: int, format: str) -> None:
    result = run(command, format)
    assert (result.exit_code, run(command, "full").exit_code) == (exit_code, exit_code)
    if format == "json" and command.startswith(RESULTS):
        assert all(code in result.output for code in codes - OWN)
        return
    found = {code for _, code in READERS[format](result.stdout)}
    own = OWN & codes
    if own and format != "github":
        assert found <= codes or command.startswith(("compare", "validate")), found
    else:
        assert found >= codes


@each_format
@each("command", MISTAKEN)
def test_a_command_line_that_is_wrong(here: Program, command: str, format: str) -> None:
    result = run(command, format)
    assert result.exit_code == 2
    assert READERS[format](result.stdout) == {("error", "VG904")}
    assert result.stderr == ""


def test_people_are_told_as_before(here: Program) -> None:
    for format in ("full", "concise"):
        result = run("apis --nope", format)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "Error: No such option" in result.stderr
    # an argument behind -- is no option
    assert "Error: " in invoke(["generate", "--nope", "--", "--format=sarif"]).stderr


@each_format
def test_the_real_program(here: Program, format: str) -> None:
    done = here("wrong", "--format", format, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.code == 1
    assert {"VG103", "VG203"} <= {code for _, code in READERS[format](done.out)}
    done = here("apis", f"--format={format}", "--nope")
    assert (done.code, READERS[format](done.out)) == (2, {("error", "VG904")})


def test_the_schema_of_sarif_is_there() -> None:
    needs_the_sarif_schema()


# --- GitHub -----------------------------------------------------------------------------------------------------------


def test_annotations_and_the_summary(here: Program) -> None:
    here.write({"page.md": "before\n"})
    done = here(*VALIDATE, "-f", "bad.yaml", "--format", "github", GITHUB_STEP_SUMMARY="page.md")
    assert done.code == 1
    assert done.err == "2 objects: 1 valid, 1 invalid\n"
    first, second = done.out.splitlines()
    assert first.startswith(
        "::error file=bad.yaml,line=10,endLine=10,col=9,endColumn=22,title=VG804::"
        'Thing "b": spec.name: Too long: may not be more than 5 characters%0Anote: the tag is +k8s:maxLength=5 on '
    )
    assert ",line=11,endLine=11,col=10,endColumn=11,title=VG804::" in second
    page = (here.directory / "page.md").read_text()
    assert page.startswith("before\n### validation-gen: 2 errors\n\n| Severity | Code | Place | Finding |\n|---|")
    assert '| error | VG804 | bad.yaml:10:9 | Thing "b": spec.name: Too long: ' in page
    here("apis", "--format", "github", GITHUB_STEP_SUMMARY="page.md")
    assert (here.directory / "page.md").read_text() == f"{page}### validation-gen: no problems\n\n"


def test_files_are_seen_from_the_workspace(here: Program) -> None:
    """A step may have a working directory; annotations are about files of the repository."""
    here.write({"sub/wrong/types.go": FILES["wrong/v1/types.go"]})
    sub = Program(here.directory / "sub")
    for path in ("wrong", here.directory / "sub" / "wrong"):
        done = sub(path, "--format", "github", GITHUB_WORKSPACE=str(here.directory))
        assert "::error file=sub/wrong/types.go,line=" in done.out


@pytest.mark.parametrize("page", ["gone/page.md", ".", "x" * 5000])
def test_a_summary_that_cannot_be_written(here: Program, page: str) -> None:
    done = here("apis", "--format", "github", GITHUB_STEP_SUMMARY=page)
    assert done.code == 0
    assert done.out.startswith("::warning file=")
    assert ",title=VG903::cannot write the summary: " in done.out


# --- verdicts and reports ---------------------------------------------------------------------------------------------


def test_verdicts_line_by_line(here: Program) -> None:
    command = "validate apis -f bad.yaml --option Glitter"
    lines = [json.loads(line) for line in run(command, "jsonl").stdout.splitlines()]
    assert lines == json.loads(run(command, "json").stdout)
    lines = [json.loads(line) for line in run("validate apis wrong -f good.yaml", "jsonl").stdout.splitlines()]
    assert {"VG103", "VG203"} <= {line["code"] for line in lines if "code" in line}
    assert lines[-1]["name"] == "a"


def test_objects_are_test_cases(here: Program) -> None:
    root = junit_of(run("validate apis -f good.yaml -f bad.yaml --option Glitter", "junit").stdout)
    found = [(suite.get("name"), case.get("name"), len(case)) for suite in root for case in suite.iter("testcase")]
    assert found == [
        ("good.yaml", "example.com/v1 Thing a", 0),
        ("bad.yaml", "example.com/v1 Thing a", 0),
        ("bad.yaml", "example.com/v1 Thing b", 1),
    ]
    failure = root.find(".//failure")
    assert failure is not None
    assert (failure.text or "").count("\n") == 1


def test_objects_from_standard_input_have_no_file(here: Program) -> None:
    done = here(*VALIDATE, "-f", "-", "--format", "github", stdin=BAD)
    assert done.out.startswith('::error title=VG804::<stdin>:10:9: Thing "b": spec.name: ')
    done = here(*VALIDATE, "-f", "-", "--format", "sarif", stdin=BAD)
    locations = [result["locations"] for result in sarif_of(done.out)["results"]]
    assert locations[0] == [{"logicalLocations": [{"fullyQualifiedName": "<stdin>:10:9"}]}]


def test_untested_errors(here: Program) -> None:
    command = "coverage apis --tests less.jsonl"
    report = json.loads(run(command, "json").stdout)
    assert [json.loads(line) for line in run(command, "jsonl").stdout.splitlines()] == report["rules"]
    (result,) = sarif_of(run(command, "sarif").stdout)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "apis/things/v1/types.go"
    assert "no test triggers, of " in result["message"]["text"]
    states = [[child.tag for child in case] for case in junit_of(run(command, "junit").stdout).iter("testcase")]
    assert sorted(states) == [["failure", "system-out"], *[["system-out"]] * 4]
    allowed = junit_of(run(f"{command} --allow allowed.yaml", "junit").stdout)
    assert [skipped.get("message") for skipped in allowed.iter("skipped")] == ["updates are tested elsewhere"]
    assert "error VG805 no test triggers, of " in run(command, "concise").stdout


def test_differences(here: Program) -> None:
    command = f"{COMPARE}:differs"
    report = json.loads(run(command, "json").stdout)
    *groups, rest = [json.loads(line) for line in run(command, "jsonl").stdout.splitlines()]
    assert groups == report["mismatches"]
    assert rest.keys() == report.keys() - {"mismatches"}
    assert run(command, "github").stdout.startswith("::error file=apis/things/v1/types.go,line=21,endLine=21,col=2,")
    assert run(command, "full").stdout[:50] == run(command, "text").stdout[:50]
    assert run(f"{command} --allow 9", "github").exit_code == 0


@pytest.mark.parametrize("format", ["full", "concise", "json", "jsonl", "github", "sarif"])
@pytest.mark.parametrize(
    "command", ["validate apis wrong -f bad.yaml --option Glitter", "coverage apis wrong --tests less.jsonl"]
)
def test_what_levels_say_is_said_once(here: Program, command: str, format: str) -> None:
    here.write({"levels.toml": '[lint]\nVG203 = "warning"\nVG804 = "warning"\nVG805 = "warning"\n'})
    output = run(f"{command} --config levels.toml", format).output
    assert output.count("VG203 stays an error") == 1


# --- colours ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "colored"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, True),  # any value, says force-color.org
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_where_they_are_wanted(here: Program, environ: dict[str, str], colored: bool) -> None:
    assert ("\x1b[1;31merror" in here("wrong", **environ).err) == colored
    assert "\x1b" not in here("wrong", "--format", "github", **environ).out


def test_colours_of_a_report(here: Program) -> None:
    command = f"{COMPARE}:differs".split()
    assert "\x1b[1;31m" in here(*command, FORCE_COLOR="1").out
    assert "\x1b[1;31m" in here(*command, "--format", "concise", FORCE_COLOR="1").out
    assert "\x1b" not in here(*command).out
