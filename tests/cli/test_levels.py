"""Levels of codes in the configuration, and codes that a call selects or ignores."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import TYPES as API_TYPES
from tests.cli.conftest import Program

FILE = "validation-gen.toml"
TYPES = """package v1

import "example.com/gone/v1"

type Box struct {
	v1.Gone `json:",inline"`

	// +k8s:xyzzy=1
	// +k8s:required
	Open bool `json:"open"`
}

// +k8s:validation-gen-nolint # a draft
type Wrong struct {
	// +k8s:required
	// +k8s:minimum=x
	Size *int32 `json:"size"`
}
"""


@pytest.fixture
def box(program: Program) -> Program:
    program.write({"go.mod": "module example.com/m\n", "apis/box/v1/types.go": TYPES})
    return program


def told(program: Program, *args: str) -> list[str]:
    """The severity and the code of each finding."""
    done = program(*args, "--format", "json")
    return sorted(f"{each['severity'][0]} {each['code']}" for each in json.loads(done.out))


EVERYTHING = ["e VG203", "w VG103", "w VG301", "w VG411"]


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ([], EVERYTHING),
        (["--select", "VG4"], ["e VG203", "w VG411"]),
        (["--select", "VG103,VG3"], ["e VG203", "w VG103", "w VG301"]),
        (["--select", "VG1", "--select", "VG3"], ["e VG203", "w VG103", "w VG301"]),
        (["--ignore", "vg1"], ["e VG203", "w VG301", "w VG411"]),
        (["--ignore", "ALL"], ["e VG203", "w VG904"]),
        (["--select", "VG103", "--ignore", "VG1"], ["e VG203", "w VG103"]),
        (["--ignore", "VG203"], [*EVERYTHING, "w VG904"]),
    ],
)
def test_a_call_selects_and_ignores(box: Program, args: list[str], found: list[str]) -> None:
    assert told(box, "lint", "apis", *args) == found


@pytest.mark.parametrize("command", ["generate", "check", "crd", "openapi", "jsonschema"])
def test_all_commands_that_read_sources_do(box: Program, command: str) -> None:
    more = ["--format", "json", "-o", "out"]
    assert "VG103" in box(command, "apis", *more).out
    done = box(command, "apis", "--ignore", "VG103", *more)
    assert "VG103" not in done.out
    assert "VG203" in done.out


@pytest.mark.parametrize("option", [["--ignore", "VG301"], ["--select", "VG5"], ["--ignore", "ALL"]])
def test_a_call_accepts_no_weaker_output(box: Program, option: list[str]) -> None:
    """Who does not want to see it has not said that the output may say less."""
    types = TYPES.partition("// +k8s:validation-gen-nolint")[0]
    box.write({"apis/box/v1/types.go": types})
    done = box("openapi", "apis", "-o", "out", *option)
    assert (done.code, "error[VG301]" in done.err) == (1, True)


def test_validate_does(box: Program) -> None:
    box.write({"x.yaml": "{}"})
    told = box("validate", "apis", "-f", "x.yaml").err
    assert "warning[VG103]: field example.com/m/apis/box/v1.Box.open: unknown tag +k8s:xyzzy" in told
    assert "1 warning about the sources" in told
    assert "1 warning about the sources" in box("validate", "apis", "-f", "x.yaml", "--ignore", "VG103").err


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        ('VG301 = "error"', ["e VG203", "e VG301", "w VG103", "w VG411"]),
        ('VG103 = { level = "off", reason = "ours" }', ["e VG203", "w VG301", "w VG411"]),
        ('VG203 = { level = "off", reason = "ours" }', [*EVERYTHING, "w VG906"]),
        ('VG203 = "warning"', [*EVERYTHING, "w VG906"]),
    ],
)
def test_the_configuration_has_levels_for_all_codes(box: Program, levels: str, found: list[str]) -> None:
    box.write({FILE: f"[lint]\n{levels}\n"})
    assert told(box, "lint", "apis") == found


def test_a_call_wins_over_the_configuration(box: Program) -> None:
    box.write({FILE: '[lint]\nVG103 = { level = "off", reason = "ours" }\nVG301 = "error"\n'})
    assert told(box, "lint", "apis", "--select", "VG1") == ["e VG203", "w VG103"]
    assert told(box, "lint", "apis", "--ignore", "VG301") == ["e VG203", "w VG411"]


def test_a_level_fails_a_run_and_holds_back_definitions(project: Program) -> None:
    text = API_TYPES.replace("package v1\n", 'package v1\n\nimport "x.org/gone"\n')
    text = text.replace("// +k8s:support", "// +kubebuilder:object:root=true\n// +k8s:support")
    text = text.replace("type ThingSpec struct {", 'type ThingSpec struct {\n\tgone.A `json:",inline"`\n')
    project.write({"apis/things/v1/types.go": text, FILE: '[lint]\nVG301 = "warning"\n'})
    done = project("crd", "apis", "-o", "out")
    assert (done.code, "warning[VG301]" in done.err, "held back" in done.out) == (0, True, False)
    done = project("crd", "apis", "-o", "out", "--no-config")
    assert (done.code, "error[VG301]" in done.err, "held back" in done.out) == (1, True, True)
    project.write({FILE: 'allow-unresolved = true\n[lint]\nVG301 = "error"\n'})
    done = project("crd", "apis", "-o", "out")
    assert (done.code, "error[VG301]" in done.err, "held back" in done.out) == (1, True, True)


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("value", ["x", "", "VG9", "VG1,"])
def test_what_is_no_code(box: Program, option: str, value: str) -> None:
    done = box("lint", "apis", option, value)
    assert (done.code, option in done.err) == (2, True)


def test_what_is_ignored_is_not_fixed(program: Program) -> None:
    text = 'package v1\n\ntype Box struct {\n\t// +k8s:maxLenght=3\n\tA string `json:"a"`\n}\n'
    program.write({"v1/types.go": text})
    assert "fixed no findings" in program("lint", "v1", "--fix", "--ignore", "VG103").out
    assert "fixed 1 finding" in program("lint", "v1", "--fix").out


# --- verdicts ---------------------------------------------------------------------------------------------------------

ROUTE = "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: r}\n"
BAD = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: bad}\nspec: {name: too long}\n"
VALIDATE = ("validate", "apis", "-f", "a.yaml", "--option", "Glitter")


@pytest.mark.parametrize(
    ("level", "args", "code", "told"),
    [
        ("", [], 1, "error"),
        ('VG807 = "warning"', [], 0, "warning"),
        ('VG807 = { level = "off", reason = "others judge" }', [], 0, ""),
        ('VG807 = { level = "off", reason = "others judge" }', ["--select", "VG807"], 1, "error"),
        ("", ["--ignore", "VG8"], 0, ""),
        ("", ["--ignore", "VG80", "--select", "VG807"], 1, "error"),
    ],
)
def test_objects_without_rules_have_a_level(
    project: Program, level: str, args: list[str], code: int, told: str
) -> None:
    project.write({"a.yaml": ROUTE, FILE: f"[lint]\n{level}\n"})
    done = project(*VALIDATE, *args)
    kind = "not judged: 1 Route example.com/v1: neither built-in nor defined here\n"
    assert (done.code, done.err) == (code, kind)
    lines = {"error": ['a.yaml:1: not judged: no rules for example.com/v1 Route "r"']}
    lines["warning"] = ['a.yaml:1: warning: not judged: no rules for example.com/v1 Route "r"']
    assert done.out.splitlines() == [*lines.get(told, []), "1 object: 0 valid, 0 invalid, 1 not judged"]
    concise = project(*VALIDATE, *args, "--format", "concise")
    assert (concise.code, f"{told} VG807" in concise.out) == (code, bool(told))
    github = project(*VALIDATE, *args, "--format", "github")
    assert (github.code, f"::{told} file" in github.out) == (code, bool(told))
    junit = project(*VALIDATE, *args, "--format", "junit")
    assert (junit.code, 'failures="1"' in junit.out) == (code, told == "error")


@pytest.mark.parametrize(
    ("level", "args", "remark", "help"),
    [
        ('VG804 = "warning"', [], "VG906", 'remove the level "warning"; --skip leaves out objects of a kind'),
        ('VG804 = { level = "off", reason = "x" }', [], "VG906", 'remove the level "off"'),
        ("", ["--ignore", "VG8"], "VG904", "leave out --ignore VG8"),
    ],
)
@pytest.mark.parametrize("format", ["full", "concise", "json", "jsonl", "github", "sarif", "junit"])
def test_the_verdict_has_none(
    project: Program, format: str, level: str, args: list[str], remark: str, help: str
) -> None:
    project.write({"a.yaml": BAD, FILE: f"[lint]\n{level}\n"})
    done = project(*VALIDATE, *args, "--format", format)
    told = done.out + done.err
    assert done.code == 1
    assert remark in told
    assert "VG804 stays an error: it is the answer of `validate`" in told
    assert format in ("junit", "sarif") or help.partition('"')[0] in told
    assert project(*VALIDATE, "--no-config", "--select", "VG1").code == 1


def test_neither_has_a_gap_of_tests(project: Program) -> None:
    project.write({FILE: '[lint]\nVG805 = "warning"\n', "seen.jsonl": ""})
    done = project("coverage", "apis", "--tests", "seen.jsonl")
    assert (done.code, "VG805 stays an error: it is the answer of `coverage`" in done.err) == (1, True)
