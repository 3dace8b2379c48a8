"""`validation-gen validate`: which files it reads, which objects it judges, and how little it can say."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import DOC, Program
from tests.cli.test_validate import BAD, BAD_ERROR, GOOD, HEAD, run

ROUTE = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\n"
UNJUDGED = "not judged: no rules for gateway.networking.k8s.io/v1 HTTPRoute"
KIND = "not judged: 1 HTTPRoute gateway.networking.k8s.io/v1: neither built-in nor defined here"
WARNED = DOC.replace("// +groupName", "// +k8s:maxLength=3\n// +groupName")


# --- what nothing judges ----------------------------------------------------------------------------------------------


def test_objects_without_rules_are_named_and_counted(project: Program) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{ROUTE}"})
    result = run("-f", "a.yaml")
    assert (result.exit_code, result.stderr) == (1, f"{KIND}\n")
    assert result.stdout.splitlines() == [
        f'a.yaml:6: {UNJUDGED} "r"',
        "2 objects: 1 valid, 0 invalid, 1 not judged",
    ]


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        (["--ignore-missing-schemas"], "1 not judged"),
        (["--skip", "HTTPRoute"], "1 skipped"),
        (["--skip", "Secret, gateway.networking.k8s.io/v1/HTTPRoute"], "1 skipped"),
        (["--skip", "v1/Secret", "--skip", "HTTPRoute"], "1 skipped"),
    ],
)
def test_objects_without_rules_can_be_meant(project: Program, given: list[str], counted: str) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{ROUTE}"})
    result = run("-f", "a.yaml", *given)
    assert (result.exit_code, result.stdout) == (0, f"2 objects: 1 valid, 0 invalid, {counted}\n")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            ["--skip", "HttpRoute"],
            "--skip: warning VG904 no object is a HttpRoute, so nothing is skipped for it (did you",
        ),
        (["--skip", "HTTPRoute,Secret"], "no object is a Secret, so nothing is skipped for it (write one of HTTPRoute"),
        (["--skip", "HTTPRoute,example.com/v2/Thing"], "(did you mean example.com/v1/Thing?)"),
        (["--option", "Gliter=true"], "--option: warning VG548 no rule depends on the option Gliter (did you mean Gl"),
        (["--old", "b.yaml"], "--old: warning VG904 no object in --old matches an object to check"),
    ],
)
def test_what_means_no_object_is_told(project: Program, given: list[str], told: str) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{ROUTE}", "b.yaml": GOOD.replace("name: good", "name: god")})
    result = run("-f", "a.yaml", "--ignore-missing-schemas", "--format", "concise", *given)
    assert result.exit_code == 0
    assert told in result.stderr
    assert told not in result.stdout
    assert run("-f", "a.yaml", "--ignore-missing-schemas", "--quiet", *given).stderr == ""


def test_what_means_an_object_is_not_told(project: Program) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{ROUTE}"})
    given = ["--skip", "HTTPRoute,example.com/v1/Thing", "--old", "a.yaml"]
    assert run("-f", "a.yaml", *given).stderr == ""


def test_a_configuration_skips_kinds_that_one_run_has_not(project: Program) -> None:
    project.write({"a.yaml": GOOD, "validation-gen.toml": '[validate]\nskip = ["HTTPRoute"]\n'})
    assert run("-f", "a.yaml").stderr == ""
    assert "no object is a HTTPRoute" in run("-f", "a.yaml", "--skip", "HTTPRoute").stderr


def test_another_version_is_not_skipped(project: Program) -> None:
    project.write({"a.yaml": ROUTE})
    assert run("-f", "a.yaml", "--skip", "gateway.networking.k8s.io/v1beta1/HTTPRoute,httproute").exit_code == 1


def test_skipped_objects_are_not_looked_at(project: Program) -> None:
    project.write({"a.yaml": BAD})
    result = run("-f", "a.yaml", "--skip", "example.com/v1/Thing")
    assert (result.exit_code, result.stdout) == (0, "1 object: 0 valid, 0 invalid, 1 skipped\n")


def test_who_names_no_kind_is_invalid_all_the_same(project: Program) -> None:
    project.write({"a.yaml": "kind: Thing\n"})
    result = run("-f", "a.yaml", "--ignore-missing-schemas")
    assert result.exit_code == 1
    assert "apiVersion: Required value" in result.stdout


def test_programs_are_told_of_objects_without_rules(project: Program) -> None:
    project.write({"a.yaml": ROUTE})
    told = run("-f", "a.yaml", "--format", "github")
    assert told.exit_code == 1
    assert "line=2," in told.stdout
    assert f"title=VG807::{UNJUDGED}" in told.stdout
    for format, more, code, words in (
        ("json", [], 1, '"status": "not judged"'),
        ("junit", [], 1, 'failures="1"'),
        ("junit", ["--ignore-missing-schemas"], 0, '<skipped message="not judged'),
        ("junit", ["--skip", "HTTPRoute"], 0, "<skipped message="),
        ("sarif", ["--ignore-missing-schemas"], 0, '"results": []'),
    ):
        result = run("-f", "a.yaml", "--format", format, *more)
        assert result.exit_code == code
        assert words in result.stdout


# --- which files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (["-f", "in/*.yaml"], 2),
        (["-f", "in/**/*.yaml"], 3),
        (["-f", "in/**"], 3),
        (["-f", "i?"], 3),
        (["-f", "i?", "--no-recursive"], 2),
        (["-f", "in"], 3),
        (["-f", "in", "-R"], 3),
        (["-f", "in", "--no-recursive"], 2),
        (["-f", "in/a.yaml", "-f", "in/b.yaml"], 2),
        (["-f", "in/a.yaml,in/b.yaml"], 2),
        (["-f", "in/a.yaml", "in/b.yaml"], 2),
        (["--filename", "in/a.yaml", "in/b.yaml", "in/deep/c.yaml", "--format", "full"], 3),
    ],
)
def test_many_names_of_files(project: Program, given: list[str], count: int) -> None:
    project.write({f"in/{name}.yaml": GOOD for name in ("a", "b", "deep/c")})
    result = run(*given)
    noun = "object" if count == 1 else "objects"
    assert (result.exit_code, result.stdout) == (0, f"{count} {noun}: {count} valid, 0 invalid\n")


def test_names_that_look_like_patterns(project: Program) -> None:
    project.write({"a[1].yaml": GOOD, "b,c.yaml": GOOD})
    assert run("-f", "a[1].yaml", "-f", "b,c.yaml").stdout == "2 objects: 2 valid, 0 invalid\n"


def test_a_pattern_that_nothing_has(project: Program) -> None:
    result = run("-f", "nowhere/**/*.yaml")
    assert result.exit_code == 2
    assert "error[VG902]: no file has a name of this pattern" in result.stderr


# --- how much is said -------------------------------------------------------------------------------------------------


def test_quiet(project: Program) -> None:
    project.write({"good.yaml": GOOD, "bad.yaml": BAD, "apis/things/v1/doc.go": WARNED})
    result = run("-f", "good.yaml", "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    result = run("-f", "bad.yaml", "-q")
    assert (result.exit_code, result.output) == (1, f'bad.yaml:1: The Thing "bad" is invalid: {BAD_ERROR}\n')


def test_concise_has_a_line_and_the_place_of_each_field(project: Program) -> None:
    text = f"{HEAD}metadata: {{name: worse}}\nspec:\n  color: red\n  count: 0\n"
    project.write({"a.yaml": f"{text}---\n{ROUTE}"})
    result = run("-f", "a.yaml", "--format", "concise")
    assert (result.exit_code, result.stderr) == (1, f"{KIND}\n")
    required, minimum, unjudged, counted = result.stdout.splitlines()
    assert required == 'a.yaml:4:1: error VG804 Thing "worse": spec.name: Required value'
    assert minimum.startswith('a.yaml:6:10: error VG804 Thing "worse": spec.count: Invalid value: 0')
    assert unjudged.startswith(f'a.yaml:9:7: error VG807 {UNJUDGED} "r"')
    assert counted == "2 objects: 0 valid, 1 invalid, 1 not judged"


@pytest.mark.parametrize("format", ["full", "concise", "json"])
def test_warnings_about_sources_take_one_line(project: Program, format: str) -> None:
    project.write({"a.yaml": GOOD, "apis/things/v1/doc.go": WARNED})
    result = run("-f", "a.yaml", "--format", format)
    assert result.exit_code == 0
    assert result.stderr == "1 warning about the sources; `validation-gen lint apis` shows it\n"
    if format == "json":
        assert json.loads(result.stdout)[0]["status"] == "valid"
