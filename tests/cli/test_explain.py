"""`validation-gen explain` as people run it."""

from __future__ import annotations

import json

import pytest
from typer.testing import Result

from tests.cli.conftest import Program
from tests.program import invoke
from validation_gen.cli import explain as command
from validation_gen.cli.app import arguments
from validation_gen.diagnostics import CODES
from validation_gen.rules.registry import catalogue


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def run(*args: str) -> Result:
    return invoke(["explain", *args])


def test_a_tag(program: Program) -> None:
    done = program("explain", "maxItems")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "+k8s:maxItems: A list may have at most this many items.\n\n"
        "Kubernetes 1.37\n  Stable\n\n"
        "Usage\n  +k8s:maxItems=<int>\n\n"
        "Applies to\n  type definitions, struct fields, list values, map values\n\n"
        "Payload\n  int: a number of items\n\n"
        "Error it gives\n  type Robot struct {\n      // +k8s:maxItems=2\n"
        '      Tools []string `json:"tools"`\n  }\n\n'
        '  object:\n  {"tools": ["saw", "drill", "saw"]}\n\n'
        "  error:\n  tools: Too many: 3: must have at most 2 items\n"
        "  type               origin\n  FieldValueTooMany  maxItems\n\n"
        "Schema\n  form       verdict  schema, and differences\n"
        "  idiomatic  exact    `maxItems`\n  exact      exact    `maxItems`\n\n"
        "Releases\n  1.33    1.34    1.35  1.36    1.37    1.38\n  absent  absent  Beta  Stable  Stable  Stable\n\n"
        "Example\n  +k8s:maxItems=16\n"
    )


def test_a_tag_with_differences(program: Program) -> None:
    done = program("explain", "maxBytes")
    assert (
        "Schema\n  form       verdict  schema, and differences\n"
        "  idiomatic  looser   `maxLength` (characters)\n"
        "  exact      exact    `maxLength`, and CEL that counts bytes\n"
    ) in done.out
    assert " ".join(done.out.split()).endswith("The exact form counts bytes in CEL.")


def test_the_schemas_of_all_tags(program: Program) -> None:
    done = program("explain", "schema-mapping")
    assert (done.code, done.err) == (0, "")
    assert "\n  maxItems            exact             exact             `maxItems`\n" in done.out
    lines = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ") and line.strip()]
    assert lines.count("customValidation") == 1


def test_a_code() -> None:
    result = run("vg411")
    assert result.exit_code == 0
    assert result.stdout == (
        "VG411: a boolean is required, so it must be true\n\n"
        "Severity\n  warning\n\n"
        "Reason\n"
        "  The zero value of a boolean is false, and a required field may not have its zero value: it must be\n"
        "  true.\n\n"
        'Example\n  type Robot struct {\n      // +k8s:required\n      Enabled bool `json:"enabled"`\n  }\n\n'
        'Fix\n  type Robot struct {\n      // +k8s:required\n      Enabled *bool `json:"enabled"`\n  }\n\n'
        "Ignore\n  a line `validation-gen:ignore VG411 <reason>` in the comment of the type or field\n"
    )


def test_a_former_name_is_said_to_be_one() -> None:
    result = run("discriminator")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("+k8s:modeDiscriminator: ")
    assert lines[2] == "Renamed"
    assert lines[3].startswith("  Since 1.37 `+k8s:discriminator` is called `+k8s:modeDiscriminator`")


def test_a_target() -> None:
    assert "Kubernetes 1.35\n  Beta; counts bytes\n" in run("maxLength", "--target", "1.35").stdout
    assert "Kubernetes 1.36\n  Beta; counts characters\n" in run("--target", "1.36", "maxLength").stdout


def test_all_names_are_listed_one_a_line() -> None:
    result = run()
    assert result.exit_code == 0
    starts = {line.split()[0] for line in result.stdout.splitlines() if line.startswith("  ")}
    assert {name.removeprefix("k8s:") for name in catalogue()} <= starts
    assert CODES.keys() <= starts


def test_the_list_is_that_of_the_target() -> None:
    lines = run("--target", "1.34").stdout.splitlines()
    assert lines[0] == "Tags of Kubernetes 1.34"
    names = {line.split()[0] for line in lines if line.startswith("  ")}
    assert {"enum", "ifOptionEnabled"} <= names
    assert names.isdisjoint({"maxItems", "ifEnabled", "ifMode", "member"})
    assert "Former names" not in lines


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("maxitems", "did you mean maxItems?"),
        ("VG999", "`validation-gen explain` lists all tags and codes"),
        ("", "`validation-gen explain` lists all tags and codes"),
    ],
)
def test_an_unknown_name(name: str, help: str) -> None:
    result = run(name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f'error[VG904]: there is no tag and no code "{name}"\n --> NAME\n  = help: {help}\n1 error\n'
    )


def test_an_unknown_name_moves_no_cursor() -> None:
    result = run("\x1b[31m\n")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr


def test_usage_errors() -> None:
    for args in (["maxItems", "minItems"], ["maxItems", "--target", "1.2"], ["--nope"]):
        result = run(*args)
        assert result.exit_code == 2, args
        assert "Error: " in result.stderr


def test_colours_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run("maxItems").stdout
    assert "\x1b" not in plain
    monkeypatch.setattr(command, "has_color", lambda stream: True)
    colored = run("maxItems").stdout
    assert colored.startswith("\x1b[1m+k8s:maxItems\x1b[0m: ")


def test_narrow_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert all(len(line) <= 60 for line in run("format").stdout.splitlines())


def test_it_is_found_by_the_help() -> None:
    assert "  explain " in invoke(["--help"]).stdout
    assert arguments(["explain", "maxItems"]) == ["explain", "maxItems"]
    assert arguments(["explian"]) == ["explian"], "a slip is not a path"


@pytest.mark.parametrize("name", ["maxItems", "VG203", "schema-mapping", "kubebuilder:validation:MaxItems"])
def test_articles_for_programs(name: str) -> None:
    found = json.loads(run(name, "--format", "json").stdout)
    assert [section["heading"] for section in found["sections"]]
    assert {block["kind"] for section in found["sections"] for block in section["blocks"]} <= {
        "prose",
        "rows",
        "listing",
    }


def test_the_releases_and_the_error_of_a_tag_for_programs() -> None:
    found = json.loads(run("maxItems", "--format", "json").stdout)
    blocks = {section["heading"]: section["blocks"] for section in found["sections"]}
    assert blocks["Releases"][0]["rows"][0]["1.36"] == "Stable"
    assert blocks["Error it gives"][-1]["rows"] == [{"type": "FieldValueTooMany", "origin": "maxItems"}]


def test_all_names_for_programs() -> None:
    sections = {
        section["heading"]: section["blocks"][0]["rows"] for section in json.loads(run("--format", "json").stdout)
    }
    assert {row["name"] for row in sections["Codes"]} == set(CODES)
