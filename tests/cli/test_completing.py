"""What a shell is told from the table is what typer tells it, in the same form; typer does the rest by itself."""

from __future__ import annotations

import contextlib
import io
import random
from pathlib import Path
from typing import Any

import pytest
import typer.completion
import typer.main
from typer._completion_classes import completion_init

from tests.tables import each
from tests.thorough import drawn
from validation_gen.cli import completing, offering
from validation_gen.cli.app import app
from validation_gen.cli.commands import GROUPS

completion_init()
COMMANDS: Any = typer.main.get_command(app)
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")

#: Lines that the table answers, up to the cursor.
LINES = [
    "",
    "g",
    "c",
    "zzz",
    "-",
    "--",
    "--in",
    "generate ",
    "generate -",
    "generate --",
    "generate --no-",
    "generate --nope",
    "generate apis --wat",
    "generate apis other ",
    "generate --watch --wat",
    "generate --lint --no-l",
    "generate --module a=b --mod",
    "generate --target 1.36 --tar",
    "generate --target=1.36 --tar",
    "generate --target ",
    "generate --target 1.3",
    "generate --target --",
    "generate --target --format ",
    "generate --target=",
    "generate --target=1.3",
    "generate --target = 1.3",
    "generate --target =",
    "generate --format=con",
    "generate --format zzz",
    "generate --emit c",
    "generate --emit crd --emit ",
    "generate --nope=x",
    "generate -o ",
    "generate -o here --out",
    "generate - ",
    "generate a/b.go /x",
    "apis --wat",
    "apis ",
    "apis --target ",
    "crd apis --patch",
    "crd generate --patch",
    "crd check f.yaml --for",
    "crd c",
    "config ",
    "config show ",
    "config show crd",
    "config show --",
    "config --",
    "config schema --",
    "conversions n",
    "conversions check --",
    "cel e",
    "cel eval ",
    "cel eval rule ",
    "cel eval rule --",
    "validate -f a.yaml b.yaml --",
    "validate -f a.yaml b.yaml --o",
    "apply --dry",
    "explain ",
    "explain max",
    "explain k8s:max",
    "explain +k8s:max",
    "explain +",
    "explain vg20",
    "explain VG2",
    "explain schema-",
    "explain maxLength ",
    "explain maxLength field ",
    "explain --for",
    "openapi --schema ",
    "compare apis --",
    "generate --help --he",
    "migrate --",
    "trust ",
    "init here ",
    "stdio x --objects --ob",
    "review --ca",
    "review --ca-file x --ca",
]
#: Lines that are left to typer.
OTHERS = [
    "help gen",
    "help crd ",
    "generate -- ",
    "generate -- --",
    "generate --=",
    "generate --nope x ",
    "generate --watch=1 ",
    "generate -oout ",
    "generate -o=out ",
    "generate 'apis ",
    'generate "a b" --wat',
    "generate a\\ b --wat",
    "generate größe --wat",
    "generat --wat",
    "--version ",
    "--no-config generate ",
    "--nope ",
    "config nope ",
    "config show generate --ta",
    "apply --dry-run=server ",
]


def environment(shell: str, line: str, **more: str) -> dict[str, str]:
    """What the script of a shell sets."""
    whole = f"validation-gen {line}"
    asked = {completing.VARIABLE: f"complete_{shell}", **more}
    if shell == "bash":
        words = whole.split(" ")
        return asked | {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    asked |= {"_TYPER_COMPLETE_ARGS": whole, "_TYPER_COMPLETE_WORD_TO_COMPLETE": whole.rpartition(" ")[2]}
    return {"_TYPER_COMPLETE_FISH_ACTION": "get-args"} | asked


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory without a configuration; and help is not cut into lines, as `main` sees to for typer."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 10_000)


def by_typer(environ: dict[str, str]) -> tuple[str, int]:
    output = io.StringIO()
    asked = environ[completing.VARIABLE]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(output):
        for name, value in environ.items():
            patch.setenv(name, value)
        try:
            code = typer.completion.shell_complete(COMMANDS, {}, "validation-gen", completing.VARIABLE, asked)
        except SystemExit as end:
            code = int(end.code or 0)
    return output.getvalue(), code


def by_table(environ: dict[str, str]) -> tuple[str, int | None]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = completing.answer(environ, "/usr/bin/validation-gen")
    return output.getvalue(), code


def same(told: tuple[str, int | None]) -> tuple[str | list[str], int | None]:
    """An answer with the names of the option for help in one order: typer has them in a set."""
    text, code = told
    both = "-h" in text and "--help" in text
    return (sorted(text.replace("))'", "").splitlines()) if both else text), code


@each("line", LINES, parts=4)
def test_the_table_answers_as_typer_does(line: str) -> None:
    for shell in SHELLS:
        asked = environment(shell, line)
        assert same(by_table(asked)) == same(by_typer(asked)), shell
    asked = environment("fish", line, _TYPER_COMPLETE_FISH_ACTION="is-args")
    assert by_table(asked) == by_typer(asked)


@each("line", OTHERS)
def test_other_lines_are_left_to_typer(line: str) -> None:
    for shell in SHELLS:
        assert by_table(environment(shell, line)) == ("", None)


def test_every_command_option_and_value() -> None:
    """With bash, which tells names alone; what is told of them is the same for all lines.

    A quarter of all lines is tried, others each time.
    """
    blocks = [block.splitlines() for block in completing._blocks()[:-2]]
    for head, *parameters in blocks:
        name = head.split("\t")[1]
        lines = [f"{name} ".lstrip(), f"{name} -".lstrip(), f"{name} --".lstrip()]
        for kind, names, *_ in (parameter.split("\t") for parameter in parameters):
            if name and kind in ("option", "options"):
                lines += [f"{name} {each} " for each in names.split()]
                lines += [f"{name} {names.split()[0]} x --", f"{name} {names.split()[0]}="]
            elif name and kind == "flag":
                lines.append(f"{name} {names.split()[-1]} --")
        for line in random.sample(lines, drawn(len(lines), least=8)):
            asked = environment("bash", line)
            if (head.startswith("odd") or name in GROUPS) and line.count(" ") > name.count(" ") + 1:
                assert by_table(asked) == ("", None)
            else:
                assert same(by_table(asked)) == same(by_typer(asked)), line


def test_what_is_told_of_each_option() -> None:
    for block in completing._blocks()[:-2]:
        name = block.split("\t")[1]
        asked = environment("zsh", f"{name} --".lstrip())
        assert same(by_table(asked)) == same(by_typer(asked)), name


@pytest.mark.parametrize(
    "more",
    [
        {"COMP_WORDS": "", "COMP_CWORD": "9"},
        {"COMP_WORDS": "validation-gen gen", "COMP_CWORD": "0"},
        {"COMP_WORDS": "validation-gen gen", "COMP_CWORD": "7"},
        {"COMP_WORDS": "validation-gen  gen\tx", "COMP_CWORD": "2"},
    ],
)
def test_words_that_are_counted_wrongly(more: dict[str, str]) -> None:
    asked = {completing.VARIABLE: "complete_bash", **more}
    assert by_table(asked) == by_typer(asked)


@each(
    "asked",
    [
        {completing.VARIABLE: "complete_bash"},
        {completing.VARIABLE: "complete_bash", "COMP_WORDS": "validation-gen x", "COMP_CWORD": "x"},
        {completing.VARIABLE: "complete_bash", "COMP_WORDS": "validation-gen x", "COMP_CWORD": "-1"},
        {completing.VARIABLE: "complete_bash", "COMP_WORDS": "validation-gen \x00", "COMP_CWORD": "1"},
        {completing.VARIABLE: "complete_tcsh"},
        {completing.VARIABLE: "source_bash"},
        {completing.VARIABLE: "complete"},
        {completing.VARIABLE: ""},
    ],
)
def test_requests_that_are_left_to_typer(asked: dict[str, str]) -> None:
    assert by_table(asked) == ("", None)


def test_a_program_of_another_name_is_left_to_typer() -> None:
    assert completing.answer(environment("bash", "gen"), "__main__.py") is None


def test_a_directory_that_has_a_configuration(tmp_path: Path) -> None:
    """`crd` alone is `crd generate` there."""
    (tmp_path / "validation-gen.toml").write_text('inputs = ["apis"]\n')
    for line in ("crd ", "crd --patch"):
        asked = environment("bash", line)
        assert by_table(asked) == by_typer(asked)


def test_the_table_is_up_to_date() -> None:
    assert Path(completing.TABLE).read_text(encoding="utf-8") == offering.table(), "run `make docs`"


@pytest.mark.parametrize("text", ["", "a\tb\n", "\x00", "command\tgenerate\t\n\t\t\t\t\t\t\t\n", "command\n"])
def test_a_damaged_table_is_no_answer(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "offers.tsv"
    table.write_text(text)
    monkeypatch.setattr(completing, "TABLE", str(table))
    assert by_table(environment("bash", "generate --ta")) == ("", None)
    table.unlink()
    assert by_table(environment("bash", "generate --ta")) == ("", None)
