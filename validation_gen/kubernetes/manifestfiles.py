"""Files with manifests: the files that an argument names, and their content as bytes."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.files import reading
from validation_gen.files.reading import MANIFESTS, is_manifest
from validation_gen.files.tree import Folder, Tree

#: Takes a file and its content. Returns the uncompressed content, or `None` after reporting why it cannot.
Unpack = Callable[[str, bytes, Diagnostics], bytes | None]


def as_it_is(_: str, content: bytes, __: Diagnostics) -> bytes | None:
    """Returns an `Unpack` that changes nothing."""
    return content


def names(paths: Sequence[str]) -> Iterator[str]:
    """Returns the names in arguments, each of which may have several with commas between them."""
    return (name for path in paths for name in _names(path))


def nothing_at(argument: str) -> Diagnostic:
    """Returns the finding that an argument names no object."""
    place = Span("<stdin>" if argument == "-" else argument)
    help = f"name a file that holds manifests, or a directory with such files ({', '.join(MANIFESTS)})"
    return Diagnostic("VG902", Severity.ERROR, "there are no objects here", place, help)


def _names(argument: str) -> list[str]:
    """Returns the names in an argument, as `kubectl` splits it; a name that exists is not split."""
    if "," not in argument or os.path.lexists(argument):
        return [argument]
    return [name for name in argument.split(",") if name]


def contents(
    argument: str,
    diagnostics: Diagnostics,
    *,
    recursive: bool = True,
    unpack: Unpack = as_it_is,
    tree: Tree | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yields the files of one of the `names`, on disk or in a tree, with their contents. Reports unreadable ones."""
    if tree is None:
        found = _contents(argument, diagnostics, recursive=recursive)
    else:
        found = _in_tree(tree, argument, diagnostics, recursive=recursive)
    for file, packed in found:
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
    """Returns the named file, the manifests in a directory, or the matches of a pattern: sorted, each once."""
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
    """Returns the matches of a pattern that the shell has not expanded."""
    found: set[Path] = set()
    try:
        names = glob.glob(pattern, recursive=True)  # noqa: PTH207 - the names are to begin as the pattern does
    except (OSError, ValueError, re.error):  # ValueError: a NUL in the name
        return []
    for name in names:
        if not os.path.lexists(name):  # the directory before `**` is a match of its own, even if it does not exist
            continue
        if not os.path.isdir(name):  # noqa: PTH112
            found.add(Path(name))
        elif "**" not in pattern:  # `**` has already matched the files in the directory
            found.update(_below(name, diagnostics, recursive=recursive))
    return sorted(found)


def _below(top: str, diagnostics: Diagnostics, *, recursive: bool) -> list[Path]:
    """Returns the manifests in a directory."""

    def report(error: OSError) -> None:
        place = Span(Path(error.filename).as_posix())
        diagnostics.error("VG901", f"cannot read the directory: {error.strerror}", place, "check the permissions")

    found: list[Path] = []
    for directory, inner, names in os.walk(top, onerror=report):  # it does not follow links to directories
        files = [Path(directory, name) for name in names if is_manifest(name)]
        # A dangling link is kept, and fails when it is read; pipes and devices would block.
        found += [file for file in files if os.path.isfile(file) or not os.path.exists(file)]  # noqa: PTH110, PTH113
        if not recursive:
            inner.clear()
    return sorted(found)


# --- files of a tree --------------------------------------------------------------------------------------------------


def _in_tree(tree: Tree, argument: str, diagnostics: Diagnostics, *, recursive: bool) -> Iterator[tuple[str, bytes]]:
    """Reads a file, a directory or the matches of a pattern from a tree, as `_contents` reads them from disk."""
    deep = True
    if glob.has_magic(argument) and tree.find(argument, follow=False) is None:
        parts = argument.split("/")
        first = next(index for index, part in enumerate(parts) if glob.has_magic(part))
        named = sorted(_tree_matches(tree, "/".join(parts[:first]), parts[first:]))
        deep = "**" not in argument  # `**` has already matched the files below
    else:
        named = [argument]
    for name in named:
        try:
            is_folder = isinstance(tree.reached(name), Folder)
        except OSError:
            is_folder = False
        files = [] if is_folder and not deep else _tree_files(tree, name, recursive=recursive) if is_folder else [name]
        for file in files:
            try:
                yield file, tree.read(file)
            except OSError as error:
                message = f"cannot read: {error.strerror or error}"
                diagnostics.error("VG901", message, Span(file), "name a state that has it as a plain file")


def _tree_files(tree: Tree, top: str, *, recursive: bool) -> list[str]:
    """Returns the manifests in a directory of a tree. As on disk, links to directories are not followed."""
    found: list[str] = []
    waiting = [top]
    while waiting:
        place = waiting.pop()
        for name in tree.entries(place):
            path = f"{place.rstrip('/')}/{name}"
            if isinstance(tree.find(path, follow=False), Folder):
                waiting += [path] if recursive else []
            elif is_manifest(name) and not isinstance(tree.find(path), Folder):
                found.append(path)
    return sorted(found)


def _tree_matches(tree: Tree, place: str, parts: Sequence[str]) -> set[str]:
    """Returns the paths in a tree that match a pattern. As in a shell, a star matches no dot at the beginning."""
    if not parts:
        return {place} if tree.find(place) is not None else set()
    part, rest = parts[0], parts[1:]
    if not isinstance(tree.find(place), Folder):
        return set()
    if not glob.has_magic(part):
        return _tree_matches(tree, f"{place}/{part}", rest)
    found = _tree_matches(tree, place, rest) if part == "**" and rest else set()
    for name in tree.entries(place):
        path = f"{place}/{name}"
        if part == "**" and not name.startswith("."):
            inner = isinstance(tree.find(path, follow=False), Folder)
            found |= _tree_matches(tree, path, parts) if inner else set() if rest else {path}
        elif fnmatch.fnmatchcase(name, part) and (part.startswith(".") or not name.startswith(".")):
            found |= _tree_matches(tree, path, rest)
    return found
