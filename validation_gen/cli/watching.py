"""`generate --watch`: runs the command again when one of its inputs changes.

The inputs are recorded while they are read, so nothing is listed here: sources, files with handwritten functions,
`go.mod`, also files that were missing. Events of the file system only wake the loop; the command runs again if a
recorded answer has changed. So other changes in a directory (`.git`, files of editors, our own output) are ignored.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import typer

from validation_gen.cli import terminal
from validation_gen.cli.config_context import get_configuration
from validation_gen.cli.terminal import ENVIRONMENT, INTERRUPTED, OK
from validation_gen.commands.watch import WatchError, forget_modules, is_in, upwards, wait
from validation_gen.diagnostics.visible import one_line
from validation_gen.runtime.words import counted
from validation_gen.sources.fs_queries import LISTINGS, Question, ask
from validation_gen.sources.recording_fs import record

#: Maximum number of files in the line of a round.
_NAMED = 3
#: Names of configuration files, in the current directory and above.
_SETTINGS = ("pyproject.toml", "validation-gen.toml")

_round: ContextVar[bool] = ContextVar("_round", default=False)


def is_round() -> bool:
    """Returns whether `watch_rounds` started this run, which must not watch itself."""
    return _round.get()


def watch_rounds(context: typer.Context, outputs: Sequence[str], *, silent: bool) -> None:
    """Runs the program with the arguments of a context, again and again, and never returns.

    Ignores changes below `outputs`. `silent` leaves out our own lines.

    Raises:
        typer.Exit: watching is not possible.
        SystemExit: the arguments are wrong, so that waiting would not help.
        KeyboardInterrupt: the usual end.
    """
    check_watching()
    # Where sources are below an output, as below the current directory, generated files are known by their content.
    read = [os.getcwd(), *context.params.get("paths", [])]  # noqa: PTH109
    outputs = [output for output in outputs if not any(is_in(path, [output]) for path in read)]
    gc.enable()  # short runs do without
    sys.dont_write_bytecode = True  # within one second, Python would use stale bytecode of the user's modules
    known = set(sys.modules)
    answers: dict[Question, str] = {}
    first = True
    while True:
        answers = _run(context, outputs, answers, first=first)
        if first and not silent:
            files = {path for kind, path in answers if kind == "file"}
            typer.echo(f"watching {counted(len(files), 'file')}; Ctrl-C ends", err=True)
        first = False
        answers |= {("file", file): ask(("file", file)) for file in forget_modules(known)}
        try:
            changed = wait(answers, outputs)
        except WatchError as problem:
            terminal.fail(one_line(str(problem)))
        gc.collect()
        if not silent:
            _separate(changed)


def check_watching() -> None:
    """Checks that the watcher is installed.

    Raises:
        typer.Exit: it is not.
    """
    try:
        importlib.import_module("watchfiles")
    except ImportError:
        terminal.fail("--watch needs watchfiles: python -m pip install 'validation-gen[watch]'")


def _run(
    context: typer.Context, outputs: Sequence[str], before: Mapping[Question, str], *, first: bool
) -> dict[Question, str]:
    """Runs the command once. Returns its inputs; if they are unknown, the settings and the previous inputs."""
    from validation_gen.cli.app import ARGUMENTS, app  # noqa: PLC0415 - which knows the commands, and so this one

    new = [each for each in outputs if not os.path.lexists(each)]
    settings = {question: ask(question) for question in _settings()}
    token = _round.set(True)
    code: Any = OK
    ran = True
    try:
        with record() as notes:
            app(list(context.meta[ARGUMENTS]), prog_name=context.find_root().info_name)
    except SystemExit as end:
        code = end.code or OK
        # Wrong arguments have another cause, or nothing was read, where a format for programs reports them.
        ran = code == OK or (isinstance(end.__context__, typer.Exit) and (bool(notes.answers) or code != ENVIRONMENT))
        if isinstance(end.__context__, BrokenPipeError) or (first and not ran):
            raise
    finally:
        _round.reset(token)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    answers = dict(notes.answers if ran else {**before, **notes.answers})
    answers = {(kind, path): answer for (kind, path), answer in answers.items() if not is_in(path, outputs)}
    for output in new:  # new outputs are listed in the parent directory, which nothing else has changed
        for place in upwards(os.path.abspath(output)):  # noqa: PTH100
            for question in [q for q in answers if q[0] in LISTINGS and os.path.abspath(q[1]) == place]:  # noqa: PTH100
                answers[question] = ask(question)
    return answers | settings


def _settings() -> Iterator[Question]:
    """Yields the queries about the project's configuration: the file in use, and those with precedence over it."""
    if (chosen := get_configuration().config.file) is not None:
        yield "file", str(chosen)
    for place in upwards(os.path.join(os.getcwd(), "x")):  # noqa: PTH109, PTH118
        for name in _SETTINGS:
            yield "file", os.path.join(place, name)  # noqa: PTH118


def _separate(changed: Sequence[str]) -> None:
    """Prints the changed files, on a terminal as a separator of rounds."""
    here = os.getcwd()  # noqa: PTH109
    files = sorted({_short(path, here) for path in changed}, key=lambda path: (os.path.isdir(path), path))  # noqa: PTH112
    more = [f"{len(files) - _NAMED} more"] if len(files) > _NAMED else []
    line = one_line(f"changed: {', '.join([*files[:_NAMED], *more])}")
    if sys.stderr.isatty():
        line = f"-- {line} {'-' * max(3, 60 - len(line))}"
        line = f"\n\x1b[1m{line}\x1b[0m" if terminal.has_color(sys.stderr) else f"\n{line}"
    typer.echo(line, err=True, color=True)


def _short(path: str, here: str) -> str:
    absolute = os.path.abspath(path)  # noqa: PTH100
    return os.path.relpath(absolute, here) if is_in(absolute, [here]) else absolute
