"""Imports validators without a file: generated packages from their text, and handwritten code beside them.

The input is text by path from the emitters. The output is the imported package, whose text tracebacks and debuggers
show. Nothing here writes a file.

This module computes Python's import paths, in this process and in each Python process that it starts. The program's own
modules are imported from its installation. The current directory is untrusted, so nothing is imported from it unless a
user has named it. This module starts nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

import validation_gen

#: Keeps Python from putting the current directory, or that of a script, before its library. Python 3.10 can only do
#: that together with ignoring all of its variables.
_APART = ("-P",) if sys.version_info >= (3, 11) else ("-I",)
_PATH = "PYTHONPATH"
#: The directory that has this package in it.
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(validation_gen.__file__)))  # noqa: PTH100, PTH120 - pathlib is slow to import


def forget_current_directory() -> None:
    """Removes the current directory from the import paths of this process and its children, unless it was named.

    An empty part of PYTHONPATH names nothing: it comes from an unset variable.
    """
    parts = os.environ.get(_PATH, "").split(os.pathsep)
    if os.environ.get(_PATH) and "" in parts:
        named = [part for part in parts if part]
        if not any(map(_is_here, named)) and not _is_here(os.path.dirname(os.__file__)):  # noqa: PTH120 - a text
            sys.path[:] = [place for place in sys.path if not _is_here(place)]
        _set_path(named)
    sys.path[:] = [place for place in sys.path if place]


def command(module: str, *arguments: str) -> list[str]:
    """Returns the command line of a Python process that calls `main` of our module, with the same import paths."""
    code = f"import sys; sys.path[:] = {_places()!r}; from {module} import main; main(*sys.argv[1:])"
    return [sys.executable, *_APART, *_encoding(), "-c", code, *arguments]


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Makes `multiprocessing` start its processes, also its helper processes, without the current directory.

    They receive their import directories later, in a message, and import modules before that.
    """
    from multiprocessing import util  # noqa: PLC0415 - most runs start none

    usual = util._args_from_interpreter_flags  # type: ignore[attr-defined]
    before = os.environ.get(_PATH)

    def flags() -> list[str]:
        given: list[str] = usual()
        return [*given, *(each for each in (*_APART, *_encoding()) if each not in given)]

    util._args_from_interpreter_flags = flags  # type: ignore[attr-defined]
    try:
        if before is not None:
            _set_path([part for part in before.split(os.pathsep) if part])
        yield
    finally:
        util._args_from_interpreter_flags = usual  # type: ignore[attr-defined]
        if before is not None:
            os.environ[_PATH] = before


def _places() -> list[str]:
    """Returns the import paths of this process, and the directory of this program if they do not include it."""
    return list(dict.fromkeys([*filter(None, sys.path), _OWN]))


def _encoding() -> tuple[str, ...]:
    """Returns options in place of ignored variables."""
    return ("-Xutf8",) if "-I" in _APART and sys.flags.utf8_mode else ()


def _set_path(parts: list[str]) -> None:
    if parts:
        os.environ[_PATH] = os.pathsep.join(parts)
    else:
        os.environ.pop(_PATH, None)


def _is_here(place: str) -> bool:
    with contextlib.suppress(OSError):  # such as a directory that is not there
        return os.path.samefile(place or ".", ".")  # noqa: PTH121 - pathlib is slow to import
    return False
