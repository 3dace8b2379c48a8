"""`generate --watch`: the same command again, whenever something that it has asked for would be answered otherwise.

Which files matter is what readers have consulted, so nothing is listed here: sources, files with handwritten functions,
`go.mod`, also what was looked for and was not there. The file system only wakes us; whether a round is due is decided
by asking again. So whatever else happens in a directory (`.git`, files of editors, our own output) starts no round.
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
from validation_gen.cli.configured import configured
from validation_gen.cli.terminal import ENVIRONMENT, INTERRUPTED, OK, has_color, one_line
from validation_gen.files.paths import is_below
from validation_gen.runtime.words import counted
from validation_gen.sources.questions import LISTINGS, Question, ask
from validation_gen.sources.recorded import noted

#: Milliseconds without a change after which a round begins: an editor may write a file in several steps.
_QUIET = 100
#: Milliseconds after which a round begins while changes go on.
_LONGEST = 1600
#: Milliseconds until we look for what has changed before the watch began.
_FIRST_LOOK = 300
#: Seconds after which we look at files of which the system has told nothing.
_NEXT_LOOK = 2.0
#: How many files the line of a round names.
_NAMED = 3
#: Where the project's configuration is looked for, in the current directory and above.
_SETTINGS = ("pyproject.toml", "validation-gen.toml")

_round: ContextVar[bool] = ContextVar("_round", default=False)


def is_round() -> bool:
    """Whether this is a run on behalf of `watch_rounds`, which is not to watch itself."""
    return _round.get()


def watch_rounds(context: typer.Context, outputs: Sequence[str], *, silent: bool) -> None:
    """Runs the program with the arguments of a context, again and again, and never returns.

    What lies below `outputs` does not count. `silent` leaves out our own lines.

    Raises:
        typer.Exit: watching is not possible.
        SystemExit: the arguments are wrong, so that waiting would not help.
        KeyboardInterrupt: the usual end.
    """
    check_watching()
    # Where sources are below an output, as below the current directory, only the files tell what is generated.
    read = [os.getcwd(), *context.params.get("paths", [])]  # noqa: PTH109
    outputs = [output for output in outputs if not any(_is_in(path, [output]) for path in read)]
    gc.enable()  # a run that is to end soon does without
    sys.dont_write_bytecode = True  # what Python keeps of the user's modules is believed for a second too long
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
    """Says what is missing to watch.

    Raises:
        typer.Exit: something is.
    """
    try:
        importlib.import_module("watchfiles")
    except ImportError:
        typer.echo("error: --watch needs watchfiles: python -m pip install 'validation-gen[watch]'", err=True)
        raise typer.Exit(ENVIRONMENT) from None


def changes(answers: Mapping[Question, str], known: set[str]) -> list[str]:
    """Waits until something would be answered otherwise, and forgets modules of the user that are not among `known`."""
    answers = {**answers, **{("file", file): ask(("file", file)) for file in _forget(known)}}
    return _wait(answers, [])


def _run(
    context: typer.Context, outputs: Sequence[str], before: Mapping[Question, str], *, first: bool
) -> dict[Question, str]:
    """One round. Returns what it depends on; if that is not known, as settings are malformed, what the last did."""
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
        # Wrong arguments have another cause, or nothing was read, where a format for programs tells them.
        ran = code == OK or (isinstance(end.__context__, typer.Exit) and (bool(notes.answers) or code != ENVIRONMENT))
        if isinstance(end.__context__, BrokenPipeError) or (first and not ran):
            raise
    finally:
        _round.reset(token)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    answers = dict(notes.answers if ran else {**before, **notes.answers})
    answers = {(kind, path): answer for (kind, path), answer in answers.items() if not _is_in(path, outputs)}
    for output in new:  # now they are listed in the directory above; nobody else has changed it
        for place in _upwards(os.path.abspath(output)):  # noqa: PTH100
            for question in [q for q in answers if q[0] in LISTINGS and os.path.abspath(q[1]) == place]:  # noqa: PTH100
                answers[question] = ask(question)
    return answers | settings


def _settings() -> Iterator[Question]:
    """What is asked of the project's configuration: the one that holds, and those that would come before it."""
    if (chosen := configured().config.file) is not None:
        yield "file", str(chosen)
    for place in _upwards(os.path.join(os.getcwd(), "x")):  # noqa: PTH109, PTH118
        for name in _SETTINGS:
            yield "file", os.path.join(place, name)  # noqa: PTH118


def _upwards(path: str) -> Iterator[str]:
    """The directories above a path, the nearest first."""
    while (above := os.path.dirname(path)) != path:  # noqa: PTH120
        yield above
        path = above


def _is_in(path: str, outputs: Iterable[str]) -> bool:
    path = os.path.abspath(path)  # noqa: PTH100
    return any(path == place or is_below(path, place) for place in map(os.path.abspath, outputs))


def _forget(known: set[str]) -> list[str]:
    """Forgets modules of the user, which a round has imported for `--emit harness`, and returns their files."""
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
    """Waits until one of the questions has another answer. Returns the paths that these are about."""
    while True:
        # What is watched may have been replaced by something of the same content: that ends, and nothing has changed.
        with contextlib.suppress(FileNotFoundError):  # or it has gone before it was watched
            for _ in _wakings(answers, outputs):
                changed = [path for (kind, path), answer in answers.items() if ask((kind, path)) != answer]
                if changed:
                    return changed


def _wakings(answers: Mapping[Question, str], outputs: Sequence[str]) -> Iterator[None]:
    """Each time that something may have changed, first for what did before we watched. Ends when places are others.

    From time to time we look ourselves: `watchfiles` loses what happens while it gives up waiting, and directories on
    other machines tell nothing.

    Raises:
        FileNotFoundError: a directory that was to be watched has gone.
        typer.Exit: the system does not let us watch.
    """
    import watchfiles  # noqa: PLC0415 - an extra

    places, names, listed = _places(answers)
    looked = False
    seen: list[tuple[int, ...]] = []
    due = 0.0
    try:
        for events in watchfiles.watch(
            *places,
            watch_filter=None,  # as else only what passes it would come to us, and not the first look either
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
    """The directories to watch, the paths in them that matter, and the directories of which every name matters."""
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
    """What the system says of files and directories at once. Where it is as before, so are they."""
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
    """Says what has changed, on a terminal so that the rounds can be told apart."""
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
