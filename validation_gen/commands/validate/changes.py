"""Finds the files with manifests that differ from a revision of their git repository.

Contents are compared as git stores them; git itself compares nothing, so no filter of a repository runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from validation_gen.commands.revisions import (
    CHANGED_SINCE,
    NO_STATE,
    as_warning,
    find_repository,
    is_revision,
    plain_path,
    refuse_input,
)
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files import reading
from validation_gen.files.git import GitError
from validation_gen.files.reading import MANIFESTS
from validation_gen.files.revision import Repository, Revision
from validation_gen.files.tree import Folder, Tree
from validation_gen.kubernetes.manifestfiles import contents, files
from validation_gen.runtime.words import counted
from validation_gen.sources.fs_queries import SUFFIXES

#: Ends of the names of files with types or definitions.
_RULES = (*SUFFIXES, *MANIFESTS)


@dataclass(slots=True)
class Changes:
    """Files that differ from a revision.

    Attributes:
        ref: the revision as it was named.
        repository: contains the files.
        base: the commit that the files are compared with: the last one that HEAD and the revision have in common.
        files: the new and changed files on disk, in order.
        old: the paths of changed and deleted files, which the commit has.
        deleted: the number of deleted files.
        rules: True if types or definitions differ as well.
    """

    ref: str
    repository: Repository
    base: str
    files: list[str] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    deleted: int = 0
    rules: bool = False

    def __str__(self) -> str:
        files = counted(len(self.files), "file") if self.files else "no file"
        text = f"{files} changed since {self.ref} (compared with commit {self.base[:12]})"
        text = f"{text}, {self.deleted} deleted" if self.deleted else text
        if not self.rules:
            return text
        return (
            f"{text}\ntypes or definitions differ, too: validate without {CHANGED_SINCE} to check all objects by them"
        )


def find_changes(
    ref: str, names: Sequence[str], rules: Sequence[str], diagnostics: Diagnostics, *, recursive: bool = True
) -> Changes | None:
    """Compares files with a revision. Returns `None`, and reports the reason, if the revision cannot be read.

    Args:
        ref: a branch, a tag or a commit, with or without `git:`.
        names: the files, directories and patterns to compare.
        rules: the paths of types and definitions.
        diagnostics: takes the findings.
        recursive: True to read directories inside directories.
    """
    ref = ref.removeprefix("git:") if is_revision(ref) else ref
    if refuse_input(names, diagnostics):
        return None
    found = find_repository(ref, names[0], CHANGED_SINCE, diagnostics)
    if found is None:
        return None
    repository, commit = found
    base = repository.merge_base(commit)
    place = Span(names[0])
    if base is None:
        message = f"HEAD and {ref} have no commit in common"
        help = f"name a commit of the history of HEAD, or use --old git:{ref}, which needs none"
        if repository.is_shallow():
            help = "this is a shallow copy, which lacks older commits: git fetch --unshallow (fetch-depth: 0 on GitHub)"
        diagnostics.error(NO_STATE, message, place, help)
        return None
    try:
        revision = Revision.from_commit(repository, base)
    except GitError as error:
        diagnostics.error(NO_STATE, f"the files of {ref} cannot be read: {error}", place, "look at `git log`")
        return None
    changes = Changes(ref, repository, base)
    try:
        seen: set[Path] = set()
        for name in names:
            _compare(name, revision.tree, changes, seen, diagnostics, recursive=recursive)
        changes.rules = any(_differs(path, repository, revision.tree) for path in rules)
    finally:
        revision.close()
    return None if any(each.code == NO_STATE for each in diagnostics.items) else changes


def _compare(
    name: str, tree: Tree, changes: Changes, seen: set[Path], diagnostics: Diagnostics, *, recursive: bool
) -> None:
    """Adds the changes of one argument, without the files in `seen`, which earlier arguments have added."""
    repository = changes.repository
    plain, pattern = plain_path(name)
    whole = Path(os.path.realpath(plain))
    if not whole.is_relative_to(repository.top):
        message = f"{plain} is in another repository than the first name"
        diagnostics.error(NO_STATE, message, Span(plain), "compare one repository at a time")
        return
    top = Path(tree.root, whole.relative_to(repository.top)).as_posix()
    old = {}
    if tree.find(top) is not None:
        problems = Diagnostics()
        found = contents(f"{top}{pattern}", problems, recursive=recursive, tree=tree)
        old = {os.path.relpath(file, top): content for file, content in found}
        for problem in problems.items:
            inside = os.path.relpath(problem.span.file, tree.root)
            if os.path.lexists(Path(repository.top, inside)):
                diagnostics.add(as_warning(replace(problem, span=Span(f"{changes.ref}:{inside}"))))
    own = Diagnostics()
    for key, file in _on_disk(name, plain, own, bool(old), recursive=recursive):
        before = old.pop(key, None)
        if (whole / key) in seen or (before is not None and _is_same(file, before)):
            continue
        seen.add(whole / key)
        changes.files.append(file.as_posix())
        if before is not None:
            changes.old.append(file.as_posix())
    if not old:
        diagnostics.extend(own.items)
    removed = [key for key in old if (whole / key) not in seen]
    seen.update(whole / key for key in removed)
    changes.old += [plain if key == "." else f"{plain.rstrip('/')}/{key}" for key in removed]
    changes.deleted += len(removed)


def _on_disk(
    name: str, plain: str, diagnostics: Diagnostics, was_there: bool, *, recursive: bool
) -> Iterator[tuple[str, Path]]:
    """Yields the files of a name with their paths below it. A missing one that the revision has is deleted."""
    for file in files(name, diagnostics, recursive=recursive):
        if os.path.lexists(file) or not was_there:
            yield os.path.relpath(file, plain), file


def _differs(path: str, repository: Repository, tree: Tree) -> bool:
    """Returns whether types or definitions at a path differ: a file is new, changed or deleted."""
    whole = Path(os.path.realpath(plain_path(path)[0]))
    if not whole.is_relative_to(repository.top):
        return False
    top = Path(tree.root, whole.relative_to(repository.top)).as_posix()
    waiting = [top]
    while waiting:
        place = waiting.pop()
        node = tree.find(place)
        if isinstance(node, Folder):
            waiting += [f"{place}/{name}" for name in tree.entries(place)]
        elif node is None:
            if place == top:
                return True
        elif place == top or place.endswith(_RULES):
            try:
                if not _is_same(whole / os.path.relpath(place, top), tree.read(place)):
                    return True
            except OSError:
                return True
    for directory, inner, names in os.walk(whole):
        inner[:] = [each for each in inner if not each.startswith(".")]
        place = Path(top, os.path.relpath(directory, whole)).as_posix()
        if any(each.endswith(_RULES) and tree.find(f"{place}/{each}") is None for each in names):
            return True
    return False


def _is_same(file: Path, before: bytes) -> bool:
    """Returns whether a file has the content of a revision; git may have changed the ends of its lines."""
    try:
        content = reading.read_named(file)
    except (OSError, ValueError):
        return False  # the reader reports it
    return content == before or content.replace(b"\r\n", b"\n") == before
