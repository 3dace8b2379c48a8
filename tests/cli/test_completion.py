"""Completion in real shells: what they offer behind a line, how they get the script, and what is never printed.

Each shell sources the script that `--show-completion` prints and is then asked in its own way. Where a shell is not
installed its tests are skipped.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.conftest import HOME, Program
from tests.tables import each
from validation_gen.cli.app import app
from validation_gen.diagnostics import CODES
from validation_gen.rules.releases import RELEASES

#: Asks a shell: `$1` is the line up to the cursor. What it offers is printed, one a line.
ASK = {
    "bash": r"""
        source "$SCRIPT"
        COMP_LINE=$1
        read -r -a COMP_WORDS <<< "$1"
        if [[ $1 == *' ' ]]; then COMP_WORDS+=(''); fi
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        [[ $(complete -p validation-gen) == *"-F _validation_gen_completion validation-gen" ]] || exit 3
        _validation_gen_completion validation-gen
        printf '%s\n' "${COMPREPLY[@]}"
    """,
    # `_arguments` gets the specification '*: :((…))', as `_files` gets a question for files.
    "zsh": r"""
        compdef() { [[ $1 == _validation_gen_completion && $2 == validation-gen ]] || exit 3 }
        _files() { }
        _arguments() { local -a offered; eval "offered=${${1#*: :\(}%\)}"; print -rl -- ${offered%%:*} }
        source "$SCRIPT"
        words=("${(@s: :)1}")
        CURRENT=$#words
        _validation_gen_completion
    """,
    "fish": r"""
        source $SCRIPT
        complete -C "$argv[1]" | string replace -r '\t.*' ''
    """,
}
#: The name of a shell's program and the options that keep it from reading the user's files.
START = {"bash": ["bash", "--norc"], "zsh": ["zsh", "-f"], "fish": ["fish", "--no-config"]}

each_shell = pytest.mark.parametrize(
    "shell",
    [
        pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed"))
        for name in sorted(ASK)
    ],
)


def environ(project: Program) -> dict[str, str]:
    """An environment that has `validation-gen` as a command."""
    program = project.directory / "bin" / "validation-gen"
    program.parent.mkdir(exist_ok=True)
    # `python -m` would tell another name than people use.
    program.write_text(
        f'#!{sys.executable}\nimport sys\nsys.argv[0] = "validation-gen"\n'
        "from validation_gen.cli.main import run\nrun()\n"
    )
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return project.environ({"PATH": path, "HOME": str(project.directory), "PYTHONPATH": str(HOME)})


def in_shell(shell: str, project: Program, code: str, *args: str, **more: str) -> tuple[str, str]:
    words = [*args] if shell == "fish" else [shell, *args]
    done = subprocess.run(
        [*START[shell], "-c", code, *words],
        cwd=project.directory,
        env={**environ(project), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, 1), done
    return done.stdout, done.stderr


def offered(shell: str, project: Program, line: str) -> list[str]:
    """What a shell offers behind a line."""
    script = project.directory / f"completion.{shell}"
    if not script.exists():
        text, problems = in_shell(shell, project, "validation-gen --show-completion; true")
        assert (bool(text), problems) == (True, "")
        script.write_text(text)
    output, problems = in_shell(shell, project, ASK[shell], line, SCRIPT=str(script))
    assert problems == ""
    return [word for word in output.splitlines() if word]


def check_lines(shell: str, project: Program) -> None:
    assert offered(shell, project, "validation-gen gen") == ["generate"]
    assert offered(shell, project, "validation-gen crd generate --patch") == ["--patch-schemas"]
    limits = ["maxBytes", "maxItems", "maxLength", "maxProperties", "maximum"]
    assert sorted(offered(shell, project, "validation-gen explain max")) == limits


def check_lines_that_are_wrong_offer_nothing_and_say_nothing(shell: str, project: Program) -> None:
    for line in ('validation-gen "zzz', "validation-gen generate --format zzz"):
        found = offered(shell, project, line)
        assert all((project.directory / word).exists() for word in found), line  # files, which fish offers itself


def check_files_are_left_to_the_shell(shell: str, project: Program) -> None:
    found = offered(shell, project, "validation-gen generate ap")
    assert found in ([], ["apis/"])


def check_installing(shell: str, project: Program) -> None:
    said, problems = in_shell(shell, project, "validation-gen --install-completion; true")
    assert problems == ""
    assert f"{shell} completion installed in" in said
    files = {p.name for p in project.directory.rglob("*validation-gen*") if p.parent.name != "bin" and p.is_file()}
    assert files & {"validation-gen.sh", "_validation-gen", "validation-gen.fish"}


def check_a_broken_configuration_says_nothing(shell: str, project: Program) -> None:
    file = project.directory / "validation-gen.toml"
    file.write_text("inputs = [\n")
    assert offered(shell, project, "validation-gen generate --wat") == ["--watch"]
    file.unlink()


def read_until(terminal: int, pattern: bytes, seconds: float = 120) -> bytes:
    """Returns what a terminal shows until it ends with `pattern`."""
    seen, end = b"", time.monotonic() + seconds
    while not re.search(pattern, seen):
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, f"{pattern!r} is not in {seen!r}"
        seen += os.read(terminal, 4096)
    return seen


def check_a_prompt(shell: str, project: Program) -> None:
    """Presses keys in bash on a terminal: names of commands and files appear in the line, and nothing else."""
    pty = pytest.importorskip("pty")
    if shell != "bash":
        return
    script, _ = in_shell("bash", project, "validation-gen --show-completion; true")
    Path(project.directory / "rc").write_text(f"PS1='> '\nbind 'set enable-bracketed-paste off'\n{script}")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        ["bash", "--rcfile", "rc", "-i"],
        cwd=project.directory,
        env=environ(project),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    try:
        # Each key waits for the answer to the one before it: readline redraws a line that it gets too early.
        for keys, answer in (
            (b"", rb"> $"),
            (b"validation-gen expl\t", rb"validation-gen expl(\x07)?ain $"),
            (b"maxP\t", rb"maxP(\x07)?roperties $"),
            (b"\x15validation-gen gen\t", rb"validation-gen gen(\x07)?erate $"),
            (b"ap\t", rb"ap(\x07)?is/ ?$"),
            (b" --chec\t", rb"--chec(\x07)?k $"),
        ):
            os.write(ours, keys)
            seen += read_until(ours, answer)
        assert b"Traceback" not in seen
        assert b"error" not in seen
    finally:
        process.kill()
        process.wait()
        os.close(ours)


#: Installing comes last: it changes what the shell reads.
CHECKS = [
    check_lines,
    check_lines_that_are_wrong_offer_nothing_and_say_nothing,
    check_files_are_left_to_the_shell,
    check_a_broken_configuration_says_nothing,
    check_a_prompt,
    check_installing,
]


@pytest.mark.process
@each_shell
@each("check", CHECKS, ids=lambda check: check.__name__)
def test_completion(shell: str, check: Callable[[str, Program], None], project: Program) -> None:
    check(shell, project)


@pytest.mark.process
@each("instruction", ["complete_bash", "complete_zsh", "complete_fish", "source_bash", "x", "x_y"])
def test_no_request_of_a_script_gives_a_traceback(instruction: str, project: Program) -> None:
    words = [{}] if instruction != "complete_bash" else [{}, {"COMP_WORDS": "x", "COMP_CWORD": "x"}]
    for more in words:
        done = subprocess.run(
            ["validation-gen"],
            cwd=project.directory,
            env={**environ(project), "_VALIDATION_GEN_COMPLETE": instruction, **more},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert "Traceback" not in done.stdout + done.stderr, more


#: What a line offers, in the order of the help.
LINES = {
    "validation-gen expl": ["explain"],
    "validation-gen crd ": ["generate", "lint", "new-conversion", "test-conversion"],
    "validation-gen generate --target ": list(RELEASES),
    "validation-gen openapi --schema ": ["exact", "idiomatic"],
    "validation-gen explain VG20": [code for code in CODES if code.startswith("VG20")],
    "validation-gen explain schema-": ["schema-mapping"],
    # the main command needs no name
    "validation-gen apis --wat": ["--watch"],
    "validation-gen crd apis --patch": ["--patch-schemas"],
    # outputs and commands as arguments
    "validation-gen generate --emit c": ["crd"],
    "validation-gen config show crd": ["crd", "crd-lint"],
    # lines that are wrong
    "validation-gen generate --target 1.3 --nope x zzz": [],
    "validation-gen generat --nope": [],
    "validation-gen 'apis zzz": [],
    "validation-gen explain zzz": [],
    "validation-gen crd nope zzz": [],
}


def complete(line: str) -> list[str]:
    """Returns what the program answers to the script of bash, in this process."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_VALIDATION_GEN_COMPLETE": "complete_bash"}
    done = CliRunner().invoke(app, [], env=words, prog_name="validation-gen")
    assert done.exception is None or isinstance(done.exception, SystemExit), line
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.usefixtures("project")
@each("line", LINES)
def test_answers_to_lines(line: str) -> None:
    assert sorted(complete(line)) == sorted(LINES[line])


@pytest.mark.usefixtures("project")
def test_options_are_offered() -> None:
    options = {"--watch", "--target", "--no-cache", "--lint", "--no-lint", "--help"}
    assert options <= set(complete("validation-gen generate --"))
    assert {"full", "concise", "json"} <= set(complete("validation-gen generate --format "))


def test_a_broken_configuration_offers_commands(project: Program) -> None:
    (project.directory / "validation-gen.toml").write_text("inputs = [\n")
    complete("validation-gen crd ")  # what it means depends on the configuration
    assert complete("validation-gen generate --wat") == ["--watch"]
