"""Writes generated files atomically, only when they change, and never over a foreign file.

Parts of file names come from sources, so none is trusted: the rules for names are those of all systems at once, so that
files generated on one can be checked out on another.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.output.root import COPIED, JSON_KEYS, JSON_MARKER, MARKER, Root, is_ours
from validation_gen.types.naming import DEVICES

_LONGEST = 255  # bytes, which is what file systems have
_FOREIGN = re.compile(r"[\\:]")


def problem_with(name: str) -> str:
    """Returns why a path below an output directory, `/` between its parts, cannot be written; `""` if it can."""
    if not name:
        return "it is empty"
    if name.startswith("/"):
        return "it is an absolute path"
    if _FOREIGN.search(name):
        return "a colon or a backslash means another place on Windows"
    return next((problem for part in name.split("/") if (problem := _problem_with_part(part))), "")


def _problem_with_part(part: str) -> str:
    if not part:
        return "a part of it is empty"
    if part in (".", ".."):
        return f'the part "{part}" leads elsewhere'
    if any(ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 for c in part):
        return "it has a control character"
    if part.endswith((" ", ".")):
        return "a part of it ends with a blank or a dot, which Windows drops"
    if part.partition(".")[0].rstrip(" ").lower() in DEVICES:
        return f'"{part}" is a device on Windows'
    return "a part of it is too long" if len(part.encode(errors="replace")) > _LONGEST else ""


_ELSEWHERE = "choose another place with --output-dir"
_NO_DIRECTORY = "this is not a directory"


@dataclass(slots=True)
class Written:
    """Result of writing an output directory, as paths below it."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Compared:
    """Differences between an output directory and the expected files, as paths below it.

    `extra` files would be removed: obsolete generated ones.
    """

    missing: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return bool(self.missing or self.stale or self.extra)


def report_invalid_names(directory: str, files: Mapping[str, str], diagnostics: Diagnostics) -> bool:
    """Reports invalid file names. Returns whether there are any; the caller then writes no file at all."""
    found = False
    for name in files:
        if problem := problem_with(name):
            found = True
            help = "change the group, the version, the package or the kind that the name is made of"
            message = f'no file can have the name "{name}", so nothing is written: {problem}'
            diagnostics.error("VG903", message, _at(Path(directory)), help)
    return found


def write_files(directory: str, files: Mapping[str, str], diagnostics: Diagnostics, *, prune: bool) -> Written:
    """Updates a directory with `files` (text by path).

    An existing file that is not generated stays, and is reported, as is everything that cannot be written. With
    `prune`, obsolete generated files are removed: modules of the generated package, and files of another kind where
    `files` has such a file beside them. If one name leads out of the directory nothing is written.
    """
    result = Written()
    path = Path(directory)
    if report_invalid_names(directory, files, diagnostics):
        return result
    if files and (problem := _make_directory(path)):
        diagnostics.error("VG903", problem, _at(path), _ELSEWHERE)
        return result
    with contextlib.ExitStack() as stack:
        try:
            root = stack.enter_context(Root.open(path))
        except FileNotFoundError:  # there is nothing to write or to remove
            return result
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            _report_closed(path, error, diagnostics)
            return result
        for name, text in files.items():
            content = _content(text)
            try:
                known = root.read(name)
                if known == content:
                    result.unchanged.append(name)
                elif _is_free(path / name, known, diagnostics):
                    root.replace(name, content)
                    result.written.append(name)
            except OSError as error:
                help = f"check the permissions, or {_ELSEWHERE}"
                diagnostics.error("VG903", f"cannot write: {error.strerror or error}", _at(path / name), help)
        if prune:
            result.removed = _prune(root, files)
    return result


def compare_files(directory: str, files: Mapping[str, str], diagnostics: Diagnostics, *, prune: bool) -> Compared:
    """Reports the effects of `write_files` without writing, including obstacles."""
    result = Compared()
    path = Path(directory)
    if report_invalid_names(directory, files, diagnostics):
        return result
    if files and os.path.lexists(path) and not path.is_dir():
        diagnostics.error("VG903", _NO_DIRECTORY, _at(path), _ELSEWHERE)
        return result
    with contextlib.ExitStack() as stack:
        root: Root | None = None
        try:
            root = stack.enter_context(Root.open(path))
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            _report_closed(path, error, diagnostics)
            return result
        for name, text in sorted(files.items()):
            try:
                known = None if root is None else root.read(name)
                if known is None:
                    result.missing.append(name)
                elif known == _content(text):
                    result.unchanged.append(name)
                elif _is_free(path / name, known, diagnostics):
                    result.stale.append(name)
            except OSError as error:
                help = f"check the permissions, or {_ELSEWHERE}"
                diagnostics.error("VG903", f"cannot read: {error.strerror or error}", _at(path / name), help)
        if prune and root is not None:
            result.extra = sorted(_find_obsolete(root, files))
    return result


def refuse_others(directory: str, files: Mapping[str, str], diagnostics: Diagnostics) -> None:
    """Reports all files that `write_files` would replace although they are not generated, in one finding."""
    path = Path(directory)
    found = []
    with contextlib.suppress(OSError, ValueError), Root.open(path) as root:  # otherwise `write_files` reports the error
        for name in sorted(files):
            with contextlib.suppress(OSError):
                known = root.read(name)
                if known is not None and known.strip() and known != _content(files[name]) and not is_ours(name, known):
                    found.append(name)
    if not found:
        return
    one = len(found) == 1
    which = "the file exists and was not generated" if one else f"{len(found)} files exist and were not generated"
    message = f"{which}, so nothing is written here"
    notes = tuple((f"{name} is not ours", _at(path / name)) for name in found) if not one else ()
    help = f"move {'it' if one else 'them'} away, or {_ELSEWHERE} or --emit"
    if any(map(_group, found)):  # definitions
        help = f"--patch-schemas {path.as_posix()} puts the schemas into definitions of others; or {_ELSEWHERE}"
    place = _at(path / found[0] if one else path)
    diagnostics.add(Diagnostic("VG903", Severity.ERROR, message, place, help, notes))


def _report_closed(path: Path, error: Exception, diagnostics: Diagnostics) -> None:
    reason = getattr(error, "strerror", None) or error
    diagnostics.error("VG903", f"cannot open the directory: {reason}", _at(path), _ELSEWHERE)


def _make_directory(root: Path) -> str:
    """Makes the output directory. Returns the obstacle, `""` if there is none."""
    try:
        root.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        return _NO_DIRECTORY
    except (OSError, ValueError) as error:
        return f"cannot make the directory: {getattr(error, 'strerror', None) or error}"
    return ""


def _content(text: str) -> bytes:
    return text.encode(errors="replace")  # comments may hold names of directories that are not UTF-8


def _is_free(path: Path, known: bytes | None, diagnostics: Diagnostics) -> bool:
    """Returns whether a file may be overwritten, given its content; reports it if not."""
    if known is None or not known.strip() or is_ours(path.name, known):
        return True
    begin = f'{{"{JSON_KEYS[0]}": "{JSON_MARKER}"' if path.suffix == ".json" else MARKER
    help = f"move it away, or {_ELSEWHERE}; generated files begin with {begin!r}"
    diagnostics.error("VG903", "the file exists and was not generated, so it is kept", _at(path), help)
    return False


def _at(path: Path) -> Span:
    return Span(path.as_posix())


# --- what is no longer wanted ---------------------------------------------------------------------------------------


def _prune(root: Root, files: Mapping[str, str]) -> list[str]:
    """Removes generated files that are not among `files`, and directories that this leaves empty."""
    directories = generated_directories(root) if _has_modules(files) else []
    removed = []
    for name in _find_obsolete(root, files):
        with contextlib.suppress(OSError):
            root.remove(name)
            removed.append(name)
    for directory in directories:
        with contextlib.suppress(OSError):
            if directory and not root.entries(directory):
                root.remove_directory(directory)
    return sorted(removed)


def _find_obsolete(root: Root, files: Mapping[str, str]) -> list[str]:
    """Returns the generated files that are not among `files`."""
    places = {(_above(name), suffix) for name in files if (suffix := PurePosixPath(name).suffix) not in ("", ".py")}
    if _has_modules(files):
        # Those of wanted modules are of the package as soon as these are written.
        wanted = {_above(name) for name in files if name.endswith(".py")}
        for directory in wanted.union(generated_directories(root)):
            places.add((directory, ".py"))
            if directory:  # in the directory itself other commands may write
                places.add((directory, ".json"))
    return [name for directory, suffix in sorted(places) for name in _find_obsolete_in(root, directory, suffix, files)]


def _above(name: str) -> str:
    return name.rpartition("/")[0]


def _group(name: str) -> str:
    """Returns the API group that a manifest or a document is named after, `""` for all else.

    Several APIs may write into one directory, and none of them knows the groups of the others. Other JSON that lies
    deeper belongs to a generated package.
    """
    above, _, file = name.rpartition("/")
    head, _, rest = file.removeprefix("apis__").partition("_")
    return head if rest and not file.endswith(".py") and (not above or file.startswith("apis__")) else ""


def _has_modules(files: Mapping[str, str]) -> bool:
    return any(name.endswith(".py") for name in files)


def _find_obsolete_in(root: Root, directory: str, suffix: str, files: Mapping[str, str]) -> list[str]:
    found = []
    groups = {_group(name) for name in files if _above(name) == directory} | {""}
    with contextlib.suppress(OSError):
        for entry in root.entries(directory):
            name = f"{directory}/{entry.name}" if directory else entry.name
            if entry.is_file and entry.name.endswith(suffix) and name not in files and _group(name) in groups:
                with contextlib.suppress(OSError):
                    if is_ours(name, root.read(name) or b""):
                        found.append(name)
    return found


def generated_directories(root: Root) -> list[str]:
    """Returns the directories of the generated package in `root`, the innermost first; `""` is the root itself.

    Each has an `__init__.py` with the marker only, or one that is a copy of the runtime. Other directories below `root`
    are foreign, even if they were generated: the package of another run, or a copy.
    """
    found: list[str] = []
    waiting = [""]
    while waiting:
        directory = waiting.pop()
        found.append(directory)
        with contextlib.suppress(OSError):
            for entry in root.entries(directory):
                name = f"{directory}/{entry.name}" if directory else entry.name
                if entry.is_directory and _holds_modules(root, name):
                    waiting.append(name)
    return found[::-1]


def _holds_modules(root: Root, directory: str) -> bool:
    with contextlib.suppress(OSError):
        first, _, rest = (root.read(f"{directory}/__init__.py") or b"").strip().partition(b"\n")
        return first.rstrip() == MARKER.encode() and (not rest or rest.startswith(COPIED.encode()))
    return False
