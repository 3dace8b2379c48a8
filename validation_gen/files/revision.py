"""Files of a revision of a git repository, as a tree that readers see; contents are read on demand.

Nothing is checked out, fetched or written. The tree records the parts that are left out.
"""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from validation_gen.files import reading
from validation_gen.files.git import GitError, Objects, is_digest, records, run
from validation_gen.files.tree import LONGEST_PATH, File, Folder, Link, Node, Tree, split_path

#: Greatest number of entries of a revision, with those of its submodules.
MOST_ENTRIES = 500_000
#: Size limit of all its files.
MOST_BYTES = 2**30
#: Greatest number and nesting depth of submodules.
MOST_MODULES, DEEPEST_MODULE = 100, 8
_FILE, _LINK, _MODULE = "100", "120000", "160000"
_GIT_FILE = re.compile(r"gitdir: ([^\0\n\r]+)\r?\n?")


@dataclass(frozen=True, slots=True)
class Repository:
    """Directories of a repository: its work tree, its own files, and those that its work trees share.

    All without links.
    """

    top: str
    own: str
    shared: str

    @classmethod
    def around(cls, directory: str) -> Repository:
        """Finds the repository of a directory.

        Raises:
            GitError: it is in none, or git does not trust it.
        """
        output = run(directory, "rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-toplevel")
        lines = os.fsdecode(output).removesuffix("\n").split("\n")
        if len(lines) != 3:
            raise GitError("the path of the repository has a line feed")
        own, shared, top = (os.path.realpath(os.path.join(directory, line)) for line in lines)  # noqa: PTH118 - of texts
        return cls(top, own, shared)

    def commit(self, ref: str) -> str | None:
        """Returns the name of the commit of a ref, `None` if there is none."""
        return self._digest("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")

    def merge_base(self, commit: str) -> str | None:
        """Returns the best commit that HEAD and a commit have in common, `None` if there is none."""
        return self._digest("merge-base", "HEAD", commit)

    def is_shallow(self) -> bool:
        try:
            return run(self.own, "rev-parse", "--is-shallow-repository", repository=self.own).strip() == b"true"
        except GitError:
            return False

    def _digest(self, *args: str) -> str | None:
        try:
            digest = run(self.own, *args, repository=self.own).decode(errors="replace").strip()
        except GitError:
            return None
        return digest if is_digest(digest) else None


@dataclass(slots=True)
class Revision:
    """A commit with its tree. `close` ends the processes that read for it."""

    repository: Repository
    tree: Tree
    _objects: dict[str, Objects] = field(default_factory=dict)
    _entries: int = 0
    _bytes: int = 0
    _modules: int = 0

    @classmethod
    def from_commit(cls, repository: Repository, commit: str) -> Revision:
        """Returns the tree of a commit, below a path that does not exist.

        Raises:
            GitError: it cannot be listed.
        """
        top = os.path.join(os.path.abspath(os.sep), f"validation-gen-{commit}")  # noqa: PTH100, PTH118 - of texts
        revision = cls(repository, Tree(top))
        revision._list(repository.own, commit, revision.tree, (), 0)
        return revision

    def close(self) -> None:
        for objects in self._objects.values():
            objects.close()

    def _list(self, git: str, commit: str, into: Tree, above: tuple[str, ...], depth: int) -> None:
        objects = self._objects.setdefault(git, Objects(git))
        for record in records("ls-tree", "-r", "-z", "--full-tree", commit, repository=git, longest=2 * LONGEST_PATH):
            self._entries += 1
            if self._entries > MOST_ENTRIES:
                raise GitError(f"the revision has more than {MOST_ENTRIES} entries, the most that are read")
            head, _, name = record.partition(b"\t")
            mode, _, digest = head.decode().split(" ")
            parts = split_path(name)
            if parts is None:
                shown, reason = os.fsdecode(name), "its name is not a path below the repository"
            else:
                shown, reason = "/".join(parts), "another entry has its place"
                node = self._node(mode, digest, objects, (*above, *parts), depth)
                if node is not None and into.add(parts, node):
                    continue
            self.tree.told.setdefault("/".join([*above, shown]), reason)

    def _node(self, mode: str, digest: str, objects: Objects, parts: tuple[str, ...], depth: int) -> Node | None:
        """Returns the node of an entry, `None` for an invalid one."""
        if mode == _MODULE:
            return Folder(load=lambda folder: self._module(folder, parts, digest, depth + 1))
        if mode == _LINK:
            return Link(lambda: self._content(objects, digest, LONGEST_PATH))
        if mode.startswith(_FILE):
            return File(lambda: self._content(objects, digest, reading.MOST_OF_A_SOURCE))
        return None

    def _content(self, objects: Objects, digest: str, most: int) -> bytes:
        content = objects.blob(digest, most)
        self._bytes += len(content)
        if self._bytes > MOST_BYTES:
            raise OSError(errno.EFBIG, f"the files of the revision hold more than {MOST_BYTES >> 20} MiB together")
        return content

    # --- submodules -------------------------------------------------------------------------------------------------

    def _module(self, folder: Folder, parts: tuple[str, ...], commit: str, depth: int) -> None:
        """Adds the files of a submodule if its commit is present. Records a submodule that cannot be read."""
        name = "/".join(parts)
        try:
            git = self._directory_of_module(parts)
            if git is None:
                return  # it is not checked out; its types are reported as missing, if they are used
            self._modules += 1
            if self._modules > MOST_MODULES or depth > DEEPEST_MODULE:
                raise GitError(
                    f"at most {MOST_MODULES} submodules are read, and at most {DEEPEST_MODULE} in one another"
                )
            self._list(git, commit, Tree(self.tree.root, folder, self.tree.told), parts, depth)
        except (GitError, OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            self.tree.told.setdefault(name, f"the submodule cannot be read: {reason}")

    def _directory_of_module(self, parts: tuple[str, ...]) -> str | None:
        """Returns git's directory of a submodule of the work tree, `None` if it is not there.

        Raises:
            GitError: it is not below the files of this repository, where `git submodule` puts it.
            OSError: it cannot be read.
        """
        place = Path(self.repository.top, *parts)
        marker = place / ".git"
        if not os.path.lexists(marker):
            return None
        elsewhere = GitError("it is not kept below .git/modules")
        if os.path.realpath(place) != str(place) or marker.is_symlink() or not marker.is_file():
            raise elsewhere
        output = _GIT_FILE.fullmatch(os.fsdecode(reading.read(marker, LONGEST_PATH)))
        target = os.path.realpath(place / output[1]) if output else ""
        for own in (self.repository.own, self.repository.shared):
            if output and Path(target).is_relative_to(Path(own, "modules")) and Path(target) != Path(own, "modules"):
                return target
        raise elsewhere
