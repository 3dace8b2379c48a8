"""The old state on disk: a directory as it is, or the files of a revision, put into a directory of their own.

The repository is only read: nothing is checked out, no index is touched, nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from validation_gen.diagnostics import Diagnostics, Span

_CODE = "VG910"
_NAMES = frozenset({"go.mod", "go.work", "modules.txt", "pyproject.toml"})
#: What git tells its hooks of the repository, and would tell us in place of the directory that we name.
_OF_HOOKS = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})
_FILE, _LINK, _MODULE = "100", "120000", "160000"


@dataclass(frozen=True, slots=True)
class OldState:
    """Where the old sources are. Paths of findings begin with `label` where those on disk begin with `directory`."""

    paths: tuple[str, ...]
    directory: str
    label: str
    #: Directories of modules by import path, as they are in this state.
    modules: dict[str, str]

    def shown(self, span: Span) -> Span:
        """A place in the old state as people know it."""
        for root in (self.directory, os.path.relpath(self.directory), Path(self.directory).resolve()):
            rest = span.file.removeprefix(Path(root).as_posix())
            if rest != span.file and (not rest or rest.startswith("/")):
                return Span(f"{self.label}{rest.lstrip('/')}", span.line, span.column, span.end_column)
        return span


@contextmanager
def old_state(
    against: str, paths: Sequence[str], modules: dict[str, str], diagnostics: Diagnostics
) -> Iterator[OldState | None]:
    """The state that `--against` names; `None`, and a finding, if it cannot be had."""
    if not against.startswith("git:"):
        yield _directory(against, paths, modules, diagnostics)
        return
    ref, _, below = against.removeprefix("git:").partition(":")
    with TemporaryDirectory(prefix="validation-gen-") as directory:
        root = Path(directory).resolve()
        yield _revision(ref, below, paths, modules, root, diagnostics)


def _directory(
    against: str, paths: Sequence[str], modules: dict[str, str], diagnostics: Diagnostics
) -> OldState | None:
    base = Path(against)
    try:
        if not base.is_dir():
            help = f"name a directory, or a revision: git:{against}"
            diagnostics.error(_CODE, f"there is no directory {against}", Span(against), help)
            return None
    except (OSError, ValueError):
        diagnostics.error(_CODE, f"the directory {against!r} cannot be read", Span("."), "name another directory")
        return None
    found = []
    for path in paths:
        plain, rest = _plain(path)
        inside = base / (Path(plain).name if Path(plain).is_absolute() else os.path.relpath(plain))
        place = inside if inside.exists() else base
        if place is base and len(paths) > 1:
            message = f"{against} has no {plain}"
            diagnostics.error(_CODE, message, Span(against), "name a directory that has the same paths")
            return None
        found.append(f"{place.as_posix()}{rest}")
    kept = {name: str(base / where) if (base / where).is_dir() else where for name, where in modules.items()}
    return OldState(tuple(found), base.as_posix(), f"{base.as_posix()}/", kept)


def _plain(path: str) -> tuple[str, str]:
    """A path without the pattern for all that is below."""
    plain = path.removesuffix("/...") or "/"
    return (plain, "/...") if plain != path else (path, "")


# --- git -------------------------------------------------------------------------------------------------------------


class _GitError(Exception):
    """What git has to say."""


def _git(directory: str | Path, *args: str, given: bytes = b"") -> bytes:
    """What git prints.

    Raises:
        _GitError: it failed, or there is no git.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    environ = kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no argument of the user's begins with a dash
            ["git", "-C", str(directory), *args],  # noqa: S607 - it is the user's git
            input=given,
            capture_output=True,
            env=environ,
            check=False,
        )
    except (OSError, ValueError) as error:
        raise _GitError(f"git cannot be run: {error}") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").splitlines()
        reasons = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")]
        raise _GitError((reasons or lines[-1:] or [f"exit code {done.returncode}"])[0])
    return done.stdout


def _revision(
    ref: str, below: str, paths: Sequence[str], modules: dict[str, str], directory: Path, diagnostics: Diagnostics
) -> OldState | None:
    place = Span(paths[0])
    if not ref or ref.startswith("-"):
        diagnostics.error(_CODE, f"{ref!r} is no revision", place, "write git:main, git:v1.2.0 or git:HEAD~1")
        return None
    base = _existing(paths[0])
    try:
        top = Path(_git(base, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    except _GitError as error:
        help = "compare with a directory instead: --against ../old"
        diagnostics.error(_CODE, f"{paths[0]} is in no git repository: {error}", place, help)
        return None
    try:
        commit = _git(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").decode().strip()
    except _GitError:
        diagnostics.error(_CODE, f"the repository has no revision {ref}", place, _fetch(top, ref))
        return None
    inner = Path(os.path.normpath(below)) if below else None
    if inner is not None and (inner.is_absolute() or ".." in inner.parts):
        diagnostics.error(_CODE, f"{below} is no directory of a revision", place, "name it from the repository's top")
        return None
    found: list[str] = []
    try:
        _extract(top, commit, directory)
        if inner is not None and not (directory / inner).is_dir():
            help = "name a directory with sources, from the repository's top"
            diagnostics.error(_CODE, f"{ref} has no directory {below}", place, help)
            return None
        for path in paths:
            plain, rest = _plain(path)
            whole = Path(os.path.realpath(plain))
            if inner is not None:
                inside = Path(os.path.normpath(inner / os.path.relpath(whole, os.path.realpath("."))))
            elif whole.is_relative_to(os.path.realpath(top)):
                inside = whole.relative_to(os.path.realpath(top))
            else:
                message = f"{plain} is in another repository than {paths[0]}"
                diagnostics.error(_CODE, message, Span(plain), "compare one repository at a time")
                return None
            if ".." in inside.parts:
                message = f"{plain} is not below the current directory, which {below} stands for"
                diagnostics.error(_CODE, message, Span(plain), "start in the directory above")
                return None
            if (directory / inside).exists():
                found.append(f"{(directory / inside).as_posix()}{rest}")
            else:
                message = f"{ref} has no {inside.as_posix()}, so all of it counts as new"
                diagnostics.warning("VG716", message, Span(plain), "nothing, if it is new")
    except _GitError as error:
        diagnostics.error(_CODE, f"the files of {ref} cannot be read: {error}", place, _fetch(top, ref))
        return None
    except OSError as error:
        diagnostics.error(_CODE, f"the files of {ref} cannot be written: {error}", place, "make room, or set TMPDIR")
        return None
    return OldState(tuple(found), directory.as_posix(), f"{ref}:", _moved(modules, top, directory))


def _existing(path: str) -> str:
    """The nearest directory of a path."""
    plain, _ = _plain(path)
    while not os.path.isdir(plain) and plain != str(Path(plain).parent):  # noqa: PTH112 - it never raises
        plain = str(Path(plain).parent)
    return plain


def _fetch(top: Path, ref: str) -> str:
    """How to get a revision that is not there: copies in continuous integration are often shallow."""
    try:
        shallow = _git(top, "rev-parse", "--is-shallow-repository").decode().strip() == "true"
    except _GitError:
        shallow = False
    name = ref.removeprefix("origin/").partition("~")[0].partition("^")[0]
    if name == "HEAD" and not shallow:
        return "`git log` shows the commits that there are"
    if not shallow:
        return f"look at `git branch --all` and `git tag`, or fetch it: git fetch origin {name}"
    if name != ref and not ref.startswith("origin/"):
        return f"this is a shallow copy, which lacks older commits: git fetch --deepen=50, or --unshallow for {ref}"
    target = f"{name}:refs/remotes/origin/{name}" if ref.startswith("origin/") else f"{name}:{name}"
    return f"this is a shallow copy, so fetch it: git fetch --depth=1 origin {target}"


def _moved(modules: dict[str, str], top: Path, directory: Path) -> dict[str, str]:
    """The directories of modules as they are in the revision, where they are part of the repository."""
    root = os.path.realpath(top)
    moved = {}
    for name, where in modules.items():
        inside = directory / os.path.relpath(os.path.realpath(where), root)
        part = Path(os.path.realpath(where)).is_relative_to(root) and inside.is_dir()
        moved[name] = str(inside) if part else where
    return moved


def _extract(top: Path, commit: str, directory: Path) -> None:
    """Writes what readers of sources look at, submodules included where their commits are at hand."""
    listed = _git(top, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
    wanted: list[tuple[str, str, Path]] = []
    for entry in filter(None, listed):
        head, _, name = entry.partition(b"\t")
        mode, _, digest = head.decode().split()
        inside = PurePosixPath(os.fsdecode(name))
        if mode == _MODULE:
            if (top / inside / ".git").exists():
                _submodule(top / inside, digest, directory / inside)
        elif mode == _LINK or (mode.startswith(_FILE) and _matters(inside)):
            wanted.append((mode, digest, directory / inside))
    contents = _git(top, "cat-file", "--batch", given="".join(f"{digest}\n" for _, digest, _ in wanted).encode())
    offset = 0
    for mode, _, path in wanted:
        end = contents.index(b"\n", offset)
        fields = contents[offset:end].split()
        if len(fields) != 3:
            raise _GitError(f"{path.relative_to(directory)} is missing")
        size = int(fields[2])
        data = contents[end + 1 : end + 1 + size]
        offset = end + 2 + size
        path.parent.mkdir(parents=True, exist_ok=True)
        if mode != _LINK:
            path.write_bytes(data)
        elif _stays(path, os.fsdecode(data), directory):
            path.symlink_to(os.fsdecode(data))


def _submodule(top: Path, commit: str, directory: Path) -> None:
    try:
        _extract(top, commit, directory)
    except _GitError:
        return  # its types will be said to be missing, if anybody uses them


def _matters(path: PurePosixPath) -> bool:
    name = path.name
    return name in _NAMES or name.endswith(".py") or (name.endswith(".go") and not name.endswith("_test.go"))


def _stays(link: Path, target: str, directory: Path) -> bool:
    """Whether a link leads to something in the same state."""
    reached = Path(os.path.normpath(link.parent / target))
    return not Path(target).is_absolute() and reached.is_relative_to(directory)
