"""Files with manifests: which of them an argument names, and what they hold as bytes."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.files import reading
from validation_gen.files.paths import MANIFESTS, is_manifest

#: Is given a file and what it holds. Returns that without its compression, `None` if it has reported why it cannot.
Unpack = Callable[[str, bytes, Diagnostics], bytes | None]


def as_it_is(_: str, content: bytes, __: Diagnostics) -> bytes | None:
    """An `Unpack` that undoes nothing."""
    return content


def names(paths: Sequence[str]) -> Iterator[str]:
    """The names in arguments, each of which may have several with commas between them."""
    return (name for path in paths for name in _names(path))


def nothing_at(argument: str) -> Diagnostic:
    """Says that what an argument names holds no object."""
    place = Span("<stdin>" if argument == "-" else argument)
    help = f"name a file that holds manifests, or a directory with such files ({', '.join(MANIFESTS)})"
    return Diagnostic("VG902", Severity.ERROR, "there are no objects here", place, help)


def _names(argument: str) -> list[str]:
    """The names in an argument, as `kubectl` splits it; a name that exists is taken as it is."""
    if "," not in argument or os.path.lexists(argument):
        return [argument]
    return [name for name in argument.split(",") if name]


def contents(
    argument: str, diagnostics: Diagnostics, *, recursive: bool = True, unpack: Unpack = as_it_is
) -> Iterator[tuple[str, bytes]]:
    """The files that one of the `names` stands for, each with what it holds. What cannot be read is reported."""
    for file, packed in _contents(argument, diagnostics, recursive=recursive):
        content = unpack(file, packed, diagnostics)
        if content is not None:
            yield file, content


def _contents(argument: str, diagnostics: Diagnostics, *, recursive: bool) -> Iterator[tuple[str, bytes]]:
    if argument == "-":
        try:
            content = reading.read_input()
        except OSError as error:
            message = f"cannot read: {error.strerror or error}"
            diagnostics.error("VG901", message, Span("<stdin>"), "give it in parts")
        else:
            yield "<stdin>", content
        return
    for file in files(argument, diagnostics, recursive=recursive):
        try:
            content = reading.read_named(file)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = getattr(error, "strerror", None) or error
            diagnostics.error("VG901", f"cannot read: {reason}", Span(file.as_posix()), "check the path")
        else:
            yield file.as_posix(), content


def files(argument: str, diagnostics: Diagnostics, *, recursive: bool = True) -> list[Path]:
    """The file that is meant, the manifests in a directory, or those that a pattern stands for: sorted, each once."""
    if not os.path.isdir(argument):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        if not glob.has_magic(argument) or os.path.lexists(argument):
            return [Path(argument)]
        found = _matches(argument, diagnostics, recursive=recursive)
        if not found and not diagnostics.items:
            help = "quote it, so that ** means what it means here: all directories below"
            diagnostics.error("VG902", "no file has a name of this pattern", Span(argument), help)
        return found
    return _below(argument, diagnostics, recursive=recursive)


def _matches(pattern: str, diagnostics: Diagnostics, *, recursive: bool) -> list[Path]:
    """The files that a pattern stands for, where a shell has left that to us."""
    found: set[Path] = set()
    try:
        names = glob.glob(pattern, recursive=True)  # noqa: PTH207 - the names are to begin as the pattern does
    except (OSError, ValueError, re.error):  # ValueError: a NUL in the name
        return []
    for name in names:
        if not os.path.lexists(name):  # the directory before `**` is a match of its own, whether or not it is there
            continue
        if not os.path.isdir(name):  # noqa: PTH112
            found.add(Path(name))
        elif "**" not in pattern:  # which has matched the files in the directory by themselves
            found.update(_below(name, diagnostics, recursive=recursive))
    return sorted(found)


def _below(top: str, diagnostics: Diagnostics, *, recursive: bool) -> list[Path]:
    """The manifests in a directory."""

    def report(error: OSError) -> None:
        place = Span(Path(error.filename).as_posix())
        diagnostics.error("VG901", f"cannot read the directory: {error.strerror}", place, "check the permissions")

    found: list[Path] = []
    for directory, inner, names in os.walk(top, onerror=report):  # it does not follow links to directories
        files = [Path(directory, name) for name in names if is_manifest(name)]
        # A link to nowhere is kept, and fails when it is read; pipes and devices must not be waited for.
        found += [file for file in files if os.path.isfile(file) or not os.path.exists(file)]  # noqa: PTH110, PTH113
        if not recursive:
            inner.clear()
    return sorted(found)
