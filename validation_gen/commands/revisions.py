"""The old state: a directory, or the files of a revision, which are read without being written to disk.

The repository is only read: nothing is checked out, no index is touched, nothing is fetched.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.files.git import GitError
from validation_gen.files.revision import Repository, Revision
from validation_gen.files.tree import Folder, Tree
from validation_gen.sources import recording_fs

#: Code of findings about an unreadable state.
NO_STATE = "VG910"
#: Option of revisions that takes no directory.
CHANGED_SINCE = "--changed-since"
_PREFIX = "git:"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class OldState:
    """Paths of the old sources. Paths of findings begin with `label` where those on disk begin with `directory`."""

    paths: tuple[str, ...]
    directory: str
    label: str
    #: Directories of modules by import path, as they are in this state.
    modules: dict[str, str]
    #: Files with manifests, directories with such, and patterns.
    manifests: tuple[str, ...] = ()
    #: Source of the paths, if they are not read from disk.
    tree: Tree | None = None
    #: Two directories, of today and of this state, below which a file has the same path.
    tops: tuple[str, str] = (".", ".")

    def find(self, file: str) -> str:
        """Returns the path that a current file has in the old state, empty if it is missing there."""
        today, there = self.tops
        below = os.path.relpath(os.path.realpath(file), os.path.realpath(today))
        if below.startswith(".."):
            return file
        found = Path(there) / below
        return found.as_posix() if recording_fs.is_file(found) else ""

    def render_span(self, span: Span) -> Span:
        """Returns a location in the old state in the form of messages."""
        for root in (self.directory, os.path.relpath(self.directory), Path(self.directory).resolve()):
            rest = span.file.removeprefix(Path(root).as_posix())
            if rest != span.file and (not rest or rest.startswith("/")):
                return Span(f"{self.label}{rest.lstrip('/')}", span.line, span.column, span.end_column)
        return span


def is_revision(against: str) -> bool:
    """Returns whether an option names a revision of a repository."""
    return against.startswith(_PREFIX)


@contextmanager
def old_state(
    against: str,
    diagnostics: Diagnostics,
    *,
    sources: Sequence[str] = (),
    manifests: Sequence[str] = (),
    modules: Mapping[str, str] = MappingProxyType({}),
    option: str = "--against",
    repository: Repository | None = None,
) -> Iterator[OldState | None]:
    """Yields the state that an option names; `None`, and a finding, if it cannot be read.

    Args:
        against: `git:REF`, `git:REF:sub/dir` or a directory.
        diagnostics: take the findings.
        sources: the paths of sources today.
        manifests: those of manifests.
        modules: directories of modules by import path.
        option: the option that names the state.
        repository: that of the revision; without it, the one that contains the first path.
    """
    paths, modules, first = (*sources, *manifests), dict(modules), len(sources)
    if not is_revision(against):
        yield _directory(against, paths, first, modules, diagnostics)
        return
    ref, _, below = against.removeprefix(_PREFIX).partition(":")
    if refuse_input(paths, diagnostics):
        yield None
        return
    revision = _revision(ref, paths[0], option, diagnostics, repository)
    if revision is None:
        yield None
        return
    try:
        with recording_fs.answering(revision.tree):
            yield _state(revision, ref, below, paths, first, modules, diagnostics)
    finally:
        revision.close()
    _tell(revision.tree, f"{ref}:", diagnostics)


def as_warning(problem: Diagnostic) -> Diagnostic:
    """Returns an error of an old file as a warning, so that the file can be repaired; warnings are unchanged."""
    if problem.severity is not Severity.ERROR:
        return problem
    message = f"the old file cannot be read, so that its objects count as new: {problem.message}"
    return replace(problem, severity=Severity.WARNING, message=message, help="nothing, if the new file is right")


def refuse_input(paths: Sequence[str], diagnostics: Diagnostics) -> bool:
    """Reports standard input among paths that are compared with a revision. Returns whether it is there."""
    if "-" in paths:
        diagnostics.error(NO_STATE, "standard input is in no revision", Span("<stdin>"), "name a file to compare with")
    return "-" in paths


def _directory(
    against: str, paths: Sequence[str], sources: int, modules: dict[str, str], diagnostics: Diagnostics
) -> OldState | None:
    """Returns the state in a directory or file. The first `sources` paths are sources, the others definitions."""
    base = Path(against)
    try:
        if not sources and len(paths) == 1 and base.is_file():
            return OldState((), base.parent.as_posix(), f"{base.parent.as_posix()}/", modules, (base.as_posix(),))
        if not base.is_dir():
            message = f"there is no file or directory {against}"
            help = f"name a directory, or a revision: git:{against}"
            if base.is_file():
                message = f"{against} is a file, which can be compared with one file or directory of definitions only"
                help = "name the directory that the file is in"
            diagnostics.error(NO_STATE, message, Span(against), help)
            return None
    except (OSError, ValueError):
        diagnostics.error(NO_STATE, f"the directory {against!r} cannot be read", Span("."), "name another directory")
        return None
    found = []
    for path in paths:
        plain, rest = plain_path(path)
        inside = base / (Path(plain).name if Path(plain).is_absolute() else os.path.relpath(plain))
        place = inside if inside.exists() else base
        if place is base and len(paths) > 1:
            message = f"{against} has no {plain}"
            diagnostics.error(NO_STATE, message, Span(against), "name a directory that has the same paths")
            return None
        found.append(f"{place.as_posix()}{rest}")
    kept = {name: str(base / where) if (base / where).is_dir() else where for name, where in modules.items()}
    label = f"{base.as_posix()}/"
    tops = (".", base.as_posix())
    return OldState(tuple(found[:sources]), base.as_posix(), label, kept, tuple(found[sources:]), None, tops)


def plain_path(path: str) -> tuple[str, str]:
    """Splits a path from the pattern behind it: `/...`, or the parts from the first with a star."""
    plain = path.removesuffix("/...") or "/"
    if plain != path:
        return plain, "/..."
    if glob.has_magic(path) and not os.path.lexists(path):
        parts = path.split("/")
        first = next(index for index, part in enumerate(parts) if glob.has_magic(part))
        above = "/".join(parts[:first]) or ("/" if first else ".")
        return above, "/" + "/".join(parts[first:])
    return path, ""


# --- git -------------------------------------------------------------------------------------------------------------


def _revision(
    ref: str, path: str, option: str, diagnostics: Diagnostics, repository: Repository | None
) -> Revision | None:
    """Returns the files of a revision of the repository that contains a path."""
    found = find_repository(ref, path, option, diagnostics, repository)
    if found is None:
        return None
    repository, commit = found
    try:
        return Revision.from_commit(repository, commit)
    except GitError as error:
        message = f"the files of {ref} cannot be read: {error}"
        diagnostics.error(NO_STATE, message, Span(path), _fetch(repository, ref))
        return None


def find_repository(
    ref: str, path: str, option: str, diagnostics: Diagnostics, repository: Repository | None = None
) -> tuple[Repository, str] | None:
    """Returns the repository that contains a path, and the commit of a ref; `None`, and a finding, without one."""
    place = Span(path)
    if not ref or ref.startswith("-"):
        diagnostics.error(NO_STATE, f"{ref!r} is no revision", place, "write git:main, git:v1.2.0 or git:HEAD~1")
        return None
    try:
        repository = repository or Repository.around(_existing(path))
    except GitError as error:
        help = f"compare with a directory instead: {option} ../old"
        if option == CHANGED_SINCE:
            help = f"name files of a git work tree, or check all without {option}"
        diagnostics.error(NO_STATE, f"{path} is in no git repository: {error}", place, help)
        return None
    commit = repository.commit(ref)
    if commit is None:
        diagnostics.error(NO_STATE, f"the repository has no revision {ref}", place, _fetch(repository, ref))
        return None
    return repository, commit


def _state(
    revision: Revision,
    ref: str,
    below: str,
    paths: Sequence[str],
    sources: int,
    modules: dict[str, str],
    diagnostics: Diagnostics,
) -> OldState | None:
    """Returns the paths of the sources, which come first, and of the definitions in a revision."""
    place, tree, top = Span(paths[0]), revision.tree, revision.repository.top
    directory = Path(tree.root)
    inner = Path(os.path.normpath(below)) if below else None
    if inner is not None and (inner.is_absolute() or ".." in inner.parts):
        diagnostics.error(
            NO_STATE, f"{below} is no directory of a revision", place, "name it from the repository's top"
        )
        return None
    if inner is not None and not isinstance(tree.find(directory / inner), Folder):
        help = "name a directory of the revision, from the repository's top"
        diagnostics.error(NO_STATE, f"{ref} has no directory {below}", place, help)
        return None
    found: tuple[list[str], list[str]] = ([], [])
    for index, path in enumerate(paths):
        plain, rest = plain_path(path)
        inside = _path_inside(plain, inner, top)
        if inside is None:
            message, help = f"{plain} is in another repository than {paths[0]}", "compare one repository at a time"
            if inner is not None:
                message = f"{plain} is not below the current directory, which {below} replaces"
                help = "start in the directory above"
            diagnostics.error(NO_STATE, message, Span(plain), help)
            return None
        if tree.find(directory / inside) is not None:
            found[index >= sources].append(f"{(directory / inside).as_posix()}{rest}")
        else:
            message = f"{ref} has no {inside.as_posix()}, so all of it counts as new"
            diagnostics.warning("VG716", message, Span(plain), "nothing, if it is new")
    kept = _move_modules(modules, top, tree)
    tops = (top, str(directory)) if inner is None else (".", str(directory / inner))
    return OldState(tuple(found[0]), directory.as_posix(), f"{ref}:", kept, tuple(found[1]), tree, tops)


def _path_inside(path: str, inner: Path | None, top: str) -> Path | None:
    """Returns the path of a file in a revision, `None` outside of the repository, or of the current directory.

    `inner` is the directory of the revision that replaces the current one.
    """
    whole = Path(os.path.realpath(path))
    if inner is None:
        return whole.relative_to(top) if whole.is_relative_to(top) else None
    found = Path(os.path.normpath(inner / os.path.relpath(whole, os.path.realpath("."))))
    return None if ".." in found.parts else found


def _tell(tree: Tree, label: str, diagnostics: Diagnostics) -> None:
    """Reports requested entries of a revision that were left out, and names that are invalid paths."""
    for name, reason in islice(sorted(tree.told.items()), _SHOWN):
        help = "nothing, if no source needs it; else name a state that has it as a plain file"
        diagnostics.warning("VG716", f"{name!a} is left out of the old state: {reason}", Span(f"{label}{name}"), help)
    if len(tree.told) > _SHOWN:
        message = f"{len(tree.told) - _SHOWN} more entries are left out of the old state"
        diagnostics.warning("VG716", message, Span(label), "look at them with git ls-tree")


def _existing(path: str) -> str:
    """Returns the nearest existing directory of a path."""
    plain, _ = plain_path(path)
    while not os.path.isdir(plain) and plain != str(Path(plain).parent):  # noqa: PTH112 - it never raises
        plain = str(Path(plain).parent)
    return plain


def _fetch(repository: Repository, ref: str) -> str:
    """Suggests how to get a missing revision: copies in continuous integration are often shallow."""
    base = re.split(r"[~^@]", ref, maxsplit=1)[0]
    name = base.removeprefix("origin/")
    is_name = re.fullmatch(r"[\w./-]+", base) is not None
    if repository.is_shallow():
        remote = is_name and name != base
        target = f" origin {name}:refs/remotes/{base}" if remote else "" if base in ("", "HEAD") else " --tags"
        return f"this is a shallow copy, which lacks older commits: git fetch --unshallow{target}"
    if base in ("", "HEAD"):
        return "`git log` shows the commits that there are"
    known = "look at `git branch --all` and `git tag`"
    return f"{known}, or fetch it: git fetch origin {name}" if is_name else known


def _move_modules(modules: dict[str, str], top: str, tree: Tree) -> dict[str, str]:
    """Returns the directories of modules in the revision, where they are part of the repository."""
    moved = {}
    for name, where in modules.items():
        whole = Path(os.path.realpath(where))
        inside = Path(tree.root, whole.relative_to(top)) if whole.is_relative_to(top) else None
        part = inside is not None and isinstance(tree.find(inside), Folder)
        moved[name] = str(inside) if part else where
    return moved
