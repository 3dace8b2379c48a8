"""What shells are offered from the table is what the library of commands would offer, for all commands and options."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer.completion
import typer.main
from typer import _completion_classes

from tests.cli.conftest import Program
from validation_gen.cli import prompt, wordlist
from validation_gen.cli.app import COMMANDS, app

TABLE = Path(prompt.__file__).with_name("completions.tsv")
ROWS = prompt.read_rows()
PLACES = sorted({row.command for row in ROWS if row.command and row.kind != prompt.COMMAND})
SHELLS = {"bash": _completion_classes.BashComplete, "zsh": _completion_classes.ZshComplete}
SHELLS["fish"] = _completion_classes.FishComplete


def test_the_table_is_what_the_commands_say() -> None:
    assert TABLE.read_text(encoding="utf-8") == wordlist.table(), "`make docs` writes it"


def environ(shell: str, line: str) -> dict[str, str]:
    if shell == "bash":
        words = line.split(" ")
        return {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}


@pytest.fixture(scope="module")
def commands() -> Any:
    return typer.main.get_command(app)


@pytest.fixture(autouse=True)
def _sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with something that a word may name. Helps are not broken into lines as wide as a terminal."""
    (tmp_path / "apis").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_completion_classes, "_sanitize_help_text", lambda text: " ".join(text.split()))


def is_as_by_library(
    found: tuple[str, int], commands: Any, shell: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Whether the library offers the same, and writes it so. It keeps the two names of `--help` in no order."""
    with monkeypatch.context() as patch:
        for name, value in environ(shell, line).items():
            patch.setenv(name, value)
        library = SHELLS[shell](commands, {}, "validation-gen", "_VALIDATION_GEN_COMPLETE")
        args, begun = library.get_completion_args()
        ours = prompt.offer(list(args), begun) or []
        theirs = [(item.value, " ".join((item.help or "").split())) for item in library.get_completions(args, begun)]
        written = [SimpleNamespace(value=word, help=help) for word, help in ours]
        patch.setattr(library, "get_completions", lambda *_: written)
        return sorted(ours) == sorted(theirs) and found == (library.complete(), 0)


def lines(place: str) -> list[str]:
    """Command lines behind a command: each option whole, begun, given before, with a value and without one."""
    head = f"validation-gen {place}"
    found = [f"{head} ", f"{head} -", f"{head} --", f"{head} apis ", f"{head} apis x y ", f"{head} zzz", f"{head} ./z"]
    for row in (row for row in ROWS if row.command == place and row.kind in (prompt.FLAG, prompt.VALUE)):
        for name in row.names:
            found += [f"{head} {name}", f"{head} {name[:-1]}"]
        behind = f"{head} {row.names[-1]} " + ("v " if row.kind == prompt.VALUE else "")
        found += [f"{behind}", f"{behind}--", f"{behind}a"]
        if row.kind == prompt.VALUE:
            found += [f"{head} {row.names[0]} ", f"{head} {row.names[0]} {(row.values or ['x'])[0][:1]}"]
    return found


@pytest.mark.parametrize("place", PLACES)
def test_each_line_is_answered_as_by_the_library(place: str, commands: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known = 0
    for number, line in enumerate(lines(place)):
        shell = list(SHELLS)[number % len(SHELLS)]
        found = prompt.answer(f"complete_{shell}", environ(shell, line))
        if found is not None:
            known += 1
            assert is_as_by_library(found, commands, shell, line, monkeypatch), (shell, line)
    assert known > len(lines(place)) / 3  # the others look unusual: what `validate` and `apply` have behind options


@pytest.mark.parametrize("shell", list(SHELLS))
@pytest.mark.parametrize(
    "line", ["", "g", "c", "generate", "zzz", "-", "--v", "apis ", "apis --wat", "apis --emit c", "config ", "cel e"]
)
def test_lines_without_a_command(shell: str, line: str, commands: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = f"validation-gen {line}"
    found = prompt.answer(f"complete_{shell}", environ(shell, whole))
    assert found is None or is_as_by_library(found, commands, shell, whole, monkeypatch)
    assert (found is None) == (line in ("config ", "cel e"))


@pytest.mark.parametrize(
    "line",
    [
        "generate --target=1",
        "generate 'apis x",
        "generate -- --ta",
        "generate --nope x",
        "generate --emit --ta x",
        "generat --ta",
        "help gen",
        "--no-config gen",
        "crd x",
        "explain max",
        "apply --dry-run ",
    ],
)
def test_unusual_lines_are_left_to_the_library(line: str) -> None:
    assert prompt.answer("complete_bash", environ("bash", f"validation-gen {line}")) is None


@pytest.mark.parametrize("instruction", ["", "x", "source_bash", "complete_powershell", "complete_"])
def test_other_questions_are_left_to_the_library(instruction: str) -> None:
    assert prompt.answer(instruction, environ("bash", "validation-gen gen")) is None


@pytest.mark.parametrize("number", ["", "x", "-1", "²", "9"])
def test_any_number_of_a_word(number: str) -> None:
    found = prompt.answer("complete_bash", {"COMP_WORDS": "validation-gen gen", "COMP_CWORD": number})
    assert found == (None if number != "9" else prompt.answer("complete_bash", environ("bash", "validation-gen gen ")))


def test_fish_asks_first_whether_there_is_anything() -> None:
    asked = {**environ("fish", "validation-gen generate --ta"), "_TYPER_COMPLETE_FISH_ACTION": "is-args"}
    assert prompt.answer("complete_fish", asked) == ("", 0)
    asked["_TYPER_COMPLETE_ARGS"] = "validation-gen generate zzz"
    assert prompt.answer("complete_fish", asked) == ("", 1)


@pytest.mark.parametrize("text", ["", "a\tb\n", "\x00", "\t\t\t\t\t\t\t\n"])
def test_a_damaged_table_is_no_answer(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "completions.tsv").write_text(text)
    monkeypatch.setattr(prompt, "__file__", str(tmp_path / "prompt.py"))
    assert prompt.answer("complete_bash", environ("bash", "validation-gen generate --ta")) in (None, ("", 0))
    (tmp_path / "completions.tsv").unlink()
    assert prompt.answer("complete_bash", environ("bash", "validation-gen generate --ta")) is None


_CODE = """
import sys
sys.argv = ["validation-gen"]
from validation_gen.cli.main import run
try:
    run()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def test_a_prompt_imports_next_to_nothing(project: Program) -> None:
    more = {"_VALIDATION_GEN_COMPLETE": "complete_bash", **environ("bash", "validation-gen generate --ta")}
    done = subprocess.run(
        [sys.executable, "-S", "-c", _CODE],
        cwd=project.directory,
        env={**project.environ(more), "PYTHONPATH": os.fspath(Path(prompt.__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "--target\n"
    names = set(done.stderr.split())
    assert not names & {"typer", "pydantic", "rich", "re", "typing", "inspect", "dataclasses", "validation_gen.cli.app"}


def test_every_command_is_there() -> None:
    assert {row.names[0] for row in ROWS if row.kind == prompt.COMMAND and not row.command} == set(COMMANDS)
