"""Run the program in this process, as `python -m validation_gen` would run it in one of its own.

A run has arguments, standard streams, a directory and variables; afterwards those of the tests are back, and modules
that it imported from directories of users are forgotten. What a process alone shows (signals, pipes, terminals, how
Python begins, what a variable changes when modules are imported) starts one: those tests have the mark `process`.
"""

from __future__ import annotations

import contextlib
import contextvars
import importlib
import io
import itertools
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

from prometheus_client import REGISTRY
from typer.testing import CliRunner, Result

import validation_gen
from validation_gen.cli.app import app, arguments
from validation_gen.cli.main import main
from validation_gen.diagnostics import visible

_HOME = Path(validation_gen.__file__).parents[1]
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(
    args: Sequence[str],
    data: bytes,
    cwd: str | Path,
    env: Mapping[str, str],
    timeout: float = 120,
    *,
    together: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """Run one command to its end.

    Args:
        args: the words after the program's name.
        data: the bytes of standard input.
        cwd: the directory in which the command runs.
        env: all variables of the command.
        timeout: seconds after which the run is interrupted by an error.
        together: have both outputs in one, in the order in which they are written.
    """
    with _surroundings(data, cwd, env, together) as (out, err), _deadline(args, timeout):
        code = main(args)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(ValueError):  # it is closed
                stream.flush()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(list(args), code, out.read(), err.read())


def invoke(args: Sequence[str], stdin: str | bytes | None = None) -> Result:
    """Runs one command by the runner of typer, in the directory and with the variables of the tests."""
    context = contextvars.copy_context()  # so that no other test sees the configuration of the run
    result: Result = context.run(CliRunner().invoke, app, arguments(list(args)), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@contextlib.contextmanager
def _surroundings(
    data: bytes, cwd: str | Path, env: Mapping[str, str], together: bool
) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    handlers = {each: signal.getsignal(each) for each in _SIGNALS}
    with contextlib.ExitStack() as restore:
        files = [restore.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        if together:
            files[2] = files[1]
        files[0].write(data)
        files[0].seek(0)
        restore.enter_context(contextlib.chdir(cwd) if sys.version_info >= (3, 11) else _directory(cwd))
        restore.enter_context(_variables(env))
        restore.enter_context(_imports())
        restore.enter_context(_series())
        restore.enter_context(_loggers())
        restore.enter_context(_streams(files))
        try:
            yield files[1], files[2]
        finally:
            visible._known.clear()
            for each, handler in handlers.items():
                signal.signal(each, handler)


@contextlib.contextmanager
def _directory(cwd: str | Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(cwd)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _variables(env: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _imports() -> Iterator[None]:
    """Import what the program would find, and forget the modules that are neither ours nor installed."""
    argv, writes = list(sys.argv), sys.dont_write_bytecode
    installed = tuple(place for place in (*sys.path, str(_HOME)) if place)
    sys.dont_write_bytecode = True  # a test changes a module within the second in which its bytecode is believed
    importlib.invalidate_caches()  # a test writes modules within the time in which a directory is believed
    sys.argv[:] = [str(_HOME / "validation_gen" / "__main__.py")]
    try:
        with forget_modules(lambda file: not file.startswith(installed)):
            yield
    finally:
        sys.argv[:], sys.dont_write_bytecode = argv, writes


@contextlib.contextmanager
def forget_modules(is_foreign: Callable[[str], bool]) -> Iterator[None]:
    """Forgets the modules that the block imports from foreign files or directories, and restores the search path."""
    last, path = next(reversed(sys.modules)), list(sys.path)
    try:
        yield
    finally:
        for name in list(itertools.takewhile(lambda name: name != last, reversed(sys.modules))):
            module = sys.modules[name]
            places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
            if any(place and is_foreign(str(place)) for place in places):
                del sys.modules[name]
        sys.path[:] = path


@contextlib.contextmanager
def _series() -> Iterator[None]:
    """Forget the metrics that a run registers in the registry of the process."""
    known = set(REGISTRY._collector_to_names)
    try:
        yield
    finally:
        for collector in set(REGISTRY._collector_to_names) - known:
            REGISTRY.unregister(collector)


@contextlib.contextmanager
def _loggers() -> Iterator[None]:
    """Put back the handlers that `webhook serve` gives to loggers."""
    known = {logger: (list(logger.handlers), logger.propagate) for logger in _all_loggers()}
    try:
        yield
    finally:
        for logger in _all_loggers():
            logger.handlers[:], logger.propagate = known.get(logger, ([], True))


def _all_loggers() -> list[logging.Logger]:
    return [each for each in logging.root.manager.loggerDict.values() if isinstance(each, logging.Logger)]


@contextlib.contextmanager
def _streams(files: Sequence[IO[bytes]]) -> Iterator[None]:
    """Make files the standard streams of this process and of those that it starts."""
    named = (sys.stdin, sys.stdout, sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    before = [os.dup(number) for number in range(3)]
    for number, file in enumerate(files):
        os.dup2(file.fileno(), number)
    modes = ("r", "w", "w")
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            open(number, f"{mode}b", closefd=False),  # noqa: SIM115 - the file is that of `files`
            encoding="utf-8",
            errors="surrogateescape",
            newline=None if number == 0 else "\n",
            line_buffering=number == 2,
        )
        for number, mode in enumerate(modes)
    )
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = named
        for number, kept in enumerate(before):
            os.dup2(kept, number)
            os.close(kept)


@contextlib.contextmanager
def _deadline(args: Sequence[str], seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise subprocess.TimeoutExpired(list(args), seconds)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
