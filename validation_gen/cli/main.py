"""The entry point: `validation-gen PATH…` and its commands. Handles errors of the process from its first import on."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys

from validation_gen.emit.loading import forget_current_directory

TYPE_CHECKING = False  # as in `typing`, whose import is slow
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

# As in `terminal`, which is not imported for them: a run may end before any import.
_ENVIRONMENT, _INTERRUPTED = 2, 130
_NO_MEMORY = "error: there is not enough memory; give the input in parts, or let the program have more (ulimit -v)\n"
#: Bytes that are freed when memory runs out, so that there is enough to report it.
_RESERVE = 8 << 20
_VERBOSE = ("-v", "--verbose")
#: Set by the completion scripts of shells; typer derives the name from that of the program.
_COMPLETES = "_VALIDATION_GEN_COMPLETE"


def run() -> NoReturn:
    """Runs the program as a process with its arguments, and exits with the code of `main`."""
    collects = gc.isenabled()
    gc.disable()  # until the command is known: imported objects stay alive
    forget_current_directory()
    try:
        sys.exit(main(sys.argv[1:]))
    finally:
        # Python records an interruption of a text that it executes, as it does for dataclasses; with `-m` it then ends
        # itself by a signal, whatever our exit code is. Executing another text resets this record.
        exec("")  # noqa: S102 - see above
        gc.freeze()  # skips the last garbage collection: the system takes back all memory at once
        if collects:
            gc.enable()


def main(argv: Sequence[str]) -> int:
    """Runs one command with the standard streams, variables and directory of this process.

    Args:
        argv: the words after the program's name.

    Returns:
        The exit code: 0, or 1 for findings, 2 for usage and environment errors, 3 for internal errors, 130 after an
        interruption.
    """
    reserve = [bytearray(_RESERVE)]  # never written to, so that it takes only addresses
    _open_streams()
    try:
        _do(list(argv))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except SystemExit as end:
        # The reader closed the pipe (`| head`): typer ends with 1 then, which would mean findings.
        return _ENVIRONMENT if isinstance(end.__context__, BrokenPipeError) else _code(end)
    except OSError as error:  # such as a full disk below standard output
        if not isinstance(error, BrokenPipeError):  # its reader wants no more
            with contextlib.suppress(OSError):
                sys.stderr.write(f"error: {error}\n")
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - what is left cannot be written
        return _ENVIRONMENT
    except Exception as error:
        reserve.clear()
        if _is_interruption(error):
            return _INTERRUPTED
        if _is_out_of_memory(error):
            return _report_little_memory()
        if _COMPLETES not in os.environ:
            raise
        return _ENVIRONMENT  # a shell waits for completions, and any text would appear in the prompt
    return 0


def _do(given: list[str]) -> None:
    if "--version" in given and set(given) <= {"--version", *_VERBOSE}:
        print_version(verbose=len(given) > 1)
        return
    completes = _COMPLETES in os.environ
    if completes:  # typer wraps help at the width of a terminal, and a shell would take the lines for further words
        os.environ.setdefault("TERMINAL_WIDTH", "10000")
    from validation_gen.cli.app import app, arguments, replace_former_names  # noqa: PLC0415 - it takes most of the time of a short run

    if any("@" in each or "?" in each for each in given):
        from validation_gen.diagnostics.visible import note_secrets  # noqa: PLC0415 - few arguments are such URLs

        note_secrets(given)
    app(given if completes else arguments(replace_former_names(given)))  # the shell has split the words itself


def _code(end: SystemExit) -> int:
    if isinstance(end.code, str):
        sys.stderr.write(f"{end.code}\n")
        return 1
    return end.code or 0


def _is_interruption(error: BaseException) -> bool:
    """Returns whether an interruption caused an error: Python's locks turn it into another exception."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__context__
    return cause is not None


def _is_out_of_memory(error: BaseException) -> bool:
    """Returns whether an error comes from too little memory.

    A thread that cannot be started is a `RuntimeError`, and Python itself loses a `MemoryError` now and then.
    """
    return isinstance(error, MemoryError) or str(error) in (
        "can't start new thread",
        "error return without exception set",
    )


def _report_little_memory() -> int:
    """Reports that memory ran out, using little of it, and returns the exit code."""
    with contextlib.suppress(OSError, MemoryError):
        sys.stderr.write(_NO_MEMORY)
        sys.stderr.flush()
    return _ENVIRONMENT


def print_version(*, verbose: bool = False) -> None:
    """Prints the version, and with `verbose` how validators run here."""
    sys.stdout.write(f"validation-gen {_read_noted_version() or _read_known_version()}\n")
    if verbose:
        from validation_gen.runtime.native import told  # noqa: PLC0415

        sys.stdout.write(f"validators run {told}\n")
    sys.stdout.flush()


def _read_noted_version() -> str:
    """Returns the version in the metadata beside the package; empty if it is not a plain file there.

    `importlib.metadata` would take twice as long to import as the rest of `--version`.
    """
    for directory in sys.path:
        with contextlib.suppress(OSError):
            entries = os.listdir(directory or ".")  # noqa: PTH208 - pathlib is slow to import
            noted = [name for name in entries if name.startswith("validation_gen-") and name.endswith(".dist-info")]
            for name in noted[:1]:
                with open(f"{directory or '.'}/{name}/METADATA", encoding="utf-8") as file:  # noqa: PTH123
                    return next((line[8:].strip() for line in file if line.startswith("Version:")), "")
    return ""


def _read_known_version() -> str:
    """Returns the version from `importlib.metadata`, for packages in archives."""
    from importlib.metadata import version  # noqa: PLC0415 - only this option needs it, and rarely

    return version("validation-gen")


def _open_streams() -> None:
    """Makes the standard streams accept any text: some are closed, some know ASCII only."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(stream := sys.stderr, io.TextIOWrapper):
        sys.stderr = _StandardError(stream)


class _StandardError(io.TextIOWrapper):
    """Standard error without the secrets of URLs, for every writer: usage errors, progress, logs, tracebacks."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        super().__init__(stream.buffer, stream.encoding, stream.errors, line_buffering=True)
        self._stream = stream  # it closes the shared buffer when nothing refers to it

    def close(self) -> None:
        if not self.buffer.closed:
            self.flush()  # the buffer belongs to the caller, which may go on using it

    def write(self, text: str) -> int:
        from validation_gen.diagnostics.visible import redact  # noqa: PLC0415 - late, for a fast start

        return super().write(redact(text))


if __name__ == "__main__":
    run()
