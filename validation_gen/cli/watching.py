"""`generate --watch`: runs the command again when one of its inputs changes.

The inputs are recorded while they are read, so nothing is listed here: sources, files with handwritten functions,
`go.mod`, also files that were missing. Events of the file system only wake the loop; a round starts if a recorded
answer has changed. So other changes in a directory (`.git`, files of editors, our own output) start no round.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import typer

import validation_gen
from validation_gen.cli.config_context import configured
from validation_gen.cli.terminal import ENVIRONMENT, INTERRUPTED, OK, has_color, one_line
from validation_gen.files.reading import is_below
from validation_gen.runtime.words import counted
from validation_gen.sources.questions import LISTINGS, Question, ask
from validation_gen.sources.recorded import noted

#: Milliseconds without a change before a round begins: an editor may write a file in several steps.
_QUIET = 100
#: Milliseconds after which a round begins although changes continue.
_LONGEST = 1600
#: Milliseconds until the first check for changes made before the watch began.
_FIRST_LOOK = 300
#: Seconds between checks of files without events.
_NEXT_LOOK = 2.0
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
    outputs = [output for output in outputs if not any(_is_in(path, [output]) for path in read)]
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
        answers |= {("file", file): ask(("file", file)) for file in _forget(known)}
        changed = _wait(answers, outputs)
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
        typer.echo("error: --watch needs watchfiles: python -m pip install 'validation-gen[watch]'", err=True)
        raise typer.Exit(ENVIRONMENT) from None


def changes(answers: Mapping[Question, str], known: set[str]) -> list[str]:
    """Waits until an answer changes, and unloads modules of the user that are not in `known`."""
    answers = {**answers, **{("file", file): ask(("file", file)) for file in _forget(known)}}
    return _wait(answers, [])


def _run(
    context: typer.Context, outputs: Sequence[str], before: Mapping[Question, str], *, first: bool
) -> dict[Question, str]:
    """Runs one round. Returns its inputs, or the settings and those of the round before if they are unknown."""
    from validation_gen.cli.app import ARGUMENTS, app  # noqa: PLC0415 - which knows the commands, and so this one

    new = [each for each in outputs if not os.path.lexists(each)]
    settings = {question: ask(question) for question in _settings()}
    token = _round.set(True)
    code: Any = OK
    ran = True
    try:
        with noted() as notes:
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
    answers = {(kind, path): answer for (kind, path), answer in answers.items() if not _is_in(path, outputs)}
    for output in new:  # new outputs are listed in the parent directory, which nothing else has changed
        for place in _upwards(os.path.abspath(output)):  # noqa: PTH100
            for question in [q for q in answers if q[0] in LISTINGS and os.path.abspath(q[1]) == place]:  # noqa: PTH100
                answers[question] = ask(question)
    return answers | settings


def _settings() -> Iterator[Question]:
    """Yields the queries about the project's configuration: the file in use, and those with precedence over it."""
    if (chosen := configured().config.file) is not None:
        yield "file", str(chosen)
    for place in _upwards(os.path.join(os.getcwd(), "x")):  # noqa: PTH109, PTH118
        for name in _SETTINGS:
            yield "file", os.path.join(place, name)  # noqa: PTH118


def _upwards(path: str) -> Iterator[str]:
    """Yields the directories above a path, the nearest first."""
    while (above := os.path.dirname(path)) != path:  # noqa: PTH120
        yield above
        path = above


def _is_in(path: str, outputs: Iterable[str]) -> bool:
    path = os.path.abspath(path)  # noqa: PTH100
    return any(path == place or is_below(path, place) for place in map(os.path.abspath, outputs))


def _forget(known: set[str]) -> list[str]:
    """Unloads modules of the user, which a round imported for `--emit harness`, and returns their files."""
    installed = (*sysconfig.get_paths().values(), os.path.dirname(validation_gen.__file__))  # noqa: PTH120
    files = []
    for name in sys.modules.keys() - known:
        file = getattr(sys.modules[name], "__file__", None)
        if isinstance(file, str) and os.path.isfile(file) and not _is_in(file, installed):  # noqa: PTH113
            files.append(file)
            del sys.modules[name]
    return files


# --- waiting ---------------------------------------------------------------------------------------------------------


def _wait(answers: Mapping[Question, str], outputs: Sequence[str]) -> list[str]:
    """Waits until one of the queries has another answer. Returns the paths of these queries."""
    while True:
        # A watched path may have been replaced by one of the same content: that ends the watch without a change.
        with contextlib.suppress(FileNotFoundError):  # or the path was deleted before the watch
            for _ in _wakings(answers, outputs):
                changed = [path for (kind, path), answer in answers.items() if ask((kind, path)) != answer]
                if changed:
                    return changed


def _wakings(answers: Mapping[Question, str], outputs: Sequence[str]) -> Iterator[None]:
    """Yields when something may have changed, first for changes before the watch. Ends when the paths to watch change.

    It also checks from time to time: `watchfiles` loses events while it gives up waiting, and network file systems send
    none.

    Raises:
        FileNotFoundError: a directory to watch was deleted.
        typer.Exit: the system refuses to watch.
    """
    import watchfiles  # noqa: PLC0415 - an extra

    places, names, listed = _places(answers)
    looked = False
    seen: list[tuple[int, ...]] = []
    due = 0.0
    try:
        for events in watchfiles.watch(
            *places,
            watch_filter=None,  # otherwise only accepted events would arrive, and not the first check either
            step=_QUIET,
            debounce=_LONGEST,
            rust_timeout=_FIRST_LOOK,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
        ):
            paths = [path for _, path in events if not _is_in(path, outputs)]
            matters = any(path in names or os.path.dirname(path) in listed for path in paths)  # noqa: PTH120
            if (now := time.monotonic()) >= due:
                due = now + _NEXT_LOOK
                before, seen = seen, _states(names)
                matters = matters or (looked and seen != before)
            if matters or not looked:
                yield
            if matters or (not looked and _places(answers)[0] != places):
                return
            looked = True
    except (RuntimeError, OSError) as problem:  # such as the limit of the system for watches
        if isinstance(problem, FileNotFoundError):
            raise
        typer.echo(f"error: the system does not let us watch: {one_line(str(problem))}", err=True)
        raise typer.Exit(ENVIRONMENT) from None


def _places(answers: Mapping[Question, str]) -> tuple[set[str], set[str], set[str]]:
    """Returns the directories to watch, the relevant paths in them, and directories whose every name matters."""
    places: set[str] = set()
    names: set[str] = set()
    listed: set[str] = set()
    for kind, argument in answers:
        if kind == "variable":
            continue
        for path in {os.path.abspath(argument), os.path.realpath(argument)}:  # noqa: PTH100
            names.add(path)
            if kind in LISTINGS:
                listed.add(path)
            if kind in LISTINGS and os.path.isdir(path):  # noqa: PTH112
                places.add(path)
                continue
            for above in _upwards(path):
                if os.path.isdir(above):  # noqa: PTH112
                    places.add(above)
                    break
                names.add(above)
    return places, names, listed


def _states(paths: Iterable[str]) -> list[tuple[int, ...]]:
    """Returns the states of files and directories by `stat`. Equal states mean equal content."""
    states: list[tuple[int, ...]] = []
    for path in paths:
        try:
            state = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            states.append(())
        else:
            states.append((state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns))
    return states


def _separate(changed: Sequence[str]) -> None:
    """Prints the changed files, on a terminal as a separator of rounds."""
    here = os.getcwd()  # noqa: PTH109
    files = sorted({_short(path, here) for path in changed}, key=lambda path: (os.path.isdir(path), path))  # noqa: PTH112
    more = [f"{len(files) - _NAMED} more"] if len(files) > _NAMED else []
    line = one_line(f"changed: {', '.join([*files[:_NAMED], *more])}")
    if sys.stderr.isatty():
        line = f"-- {line} {'-' * max(3, 60 - len(line))}"
        line = f"\n\x1b[1m{line}\x1b[0m" if has_color(sys.stderr) else f"\n{line}"
    typer.echo(line, err=True, color=True)


def _short(path: str, here: str) -> str:
    absolute = os.path.abspath(path)  # noqa: PTH100
    return os.path.relpath(absolute, here) if _is_in(absolute, [here]) else absolute
