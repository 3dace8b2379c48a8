"""Files of another state, which readers see as if they were on disk; nothing is written.

A name from a repository is checked as bytes before it becomes a part of a path. Links are resolved here, by names
within the tree alone: no path of the tree is ever passed to the system. The module does not know git.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

#: Greatest number of links in a path, as on Linux.
MOST_LINKS = 40
#: Greatest number of followed links in one state.
MOST_FOLLOWED = 100_000
#: Greatest length of a link's target, and of an entry's path, in bytes.
LONGEST_PATH = 4096
#: Greatest depth of a path.
MOST_PARTS = 256


@dataclass(frozen=True, slots=True)
class File:
    """A file. `read` returns its content, and raises OSError."""

    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Link:
    """A link. `read` returns its target, and raises OSError."""

    read: Callable[[], bytes]


@dataclass(slots=True)
class Folder:
    """A directory. `load` adds its entries at the first access; a part of another repository has one."""

    entries: dict[str, Node] = field(default_factory=dict)
    load: Callable[[Folder], None] | None = None

    def opened(self) -> dict[str, Node]:
        if self.load is not None:
            load, self.load = self.load, None
            load(self)
        return self.entries


Node = File | Link | Folder


def split_path(name: bytes) -> list[str] | None:
    """Returns the parts of the path of an entry, `None` if it is no plain path below the tree.

    Names that no repository has by accident are refused on every system: those that lead up or to the top, `.git` in
    any spelling, and those that are two parts on some systems.
    """
    if not name or len(name) > LONGEST_PATH or b"\0" in name or b"\\" in name:
        return None
    parts = name.split(b"/")
    if len(parts) > MOST_PARTS or not all(map(_is_plain, parts)):
        return None
    return [os.fsdecode(part) for part in parts]


def _is_plain(part: bytes) -> bool:
    if part in (b"", b".", b".."):
        return False
    # Windows drops dots and blanks at the end, macOS drops some invisible characters, and both ignore case.
    return part.decode(errors="replace").translate(_UNSEEN).rstrip(". ").lower() not in (".git", "git~1")


_UNSEEN = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))


class OutsideError(FileNotFoundError):
    """A link that leads out of the tree, or through too many links."""


@dataclass(slots=True)
class Tree:
    """A directory with all its files and directories. `root` is its path, which need not exist on disk.

    `told` records the links and parts that readers requested and did not get, with the reason of each.
    """

    root: str
    top: Folder = field(default_factory=Folder)
    told: dict[str, str] = field(default_factory=dict)
    _followed: int = 0

    def add(self, parts: list[str], node: Node) -> bool:
        """Adds an entry below the top. Returns False if it exists already, or its parent is no directory."""
        folder = self.top
        for part in parts[:-1]:
            found = folder.entries.setdefault(part, Folder())
            if not isinstance(found, Folder) or found.load is not None:
                return False
            folder = found
        return folder.entries.setdefault(parts[-1], node) is node

    # --- queries of readers -----------------------------------------------------------------------------------------

    def has(self, path: str | os.PathLike[str]) -> bool:
        """Returns whether a path names the tree or a place below it."""
        text = os.fspath(path)
        return text == self.root or (text.startswith(self.root) and text[len(self.root)] in (os.sep, "/"))

    def read(self, path: str | os.PathLike[str]) -> bytes:
        """Returns the content of a file.

        Raises:
            OSError: there is none, or it cannot be read.
        """
        _, node = self._find(path)
        if isinstance(node, Folder):
            raise _error(errno.EISDIR)
        return node.read()

    def entries(self, path: str | os.PathLike[str]) -> Mapping[str, Node]:
        """Returns the entries of a directory, links as links.

        Raises:
            OSError: there is no such directory.
        """
        _, node = self._find(path)
        if not isinstance(node, Folder):
            raise _error(errno.ENOTDIR)
        return node.opened()

    def reached(self, path: str | os.PathLike[str]) -> Node:
        """Returns the node at a path, with links followed.

        Raises:
            OutsideError: it is no part of the tree.
            OSError: there is no such thing.
        """
        return self._find(path)[1]

    def find(self, path: str | os.PathLike[str], *, follow: bool = True) -> Node | None:
        """Returns the node at a path, `None` if there is none. Without `follow` it returns a final link itself."""
        try:
            return self._find(path, follow=follow)[1]
        except OSError:
            return None

    def real_path(self, path: str | os.PathLike[str]) -> str:
        """Returns the path without links, or unchanged if it does not exist."""
        try:
            return os.path.join(self.root, *self._find(path)[0])  # noqa: PTH118 - of texts
        except OSError:
            return os.path.normpath(path)

    def _find(self, path: str | os.PathLike[str], *, follow: bool = True) -> tuple[list[str], Node]:
        rest = os.fspath(path)[len(self.root) :]
        return self._walk(rest.replace(os.sep, "/").split("/"), follow=follow)

    def _walk(self, parts: list[str], *, follow: bool) -> tuple[list[str], Node]:
        """Resolves a path part by part, as the system would."""
        waiting = parts[::-1]
        names: list[str] = []
        nodes: list[Node] = [self.top]
        links, first = 0, ""
        while waiting:
            part = waiting.pop()
            here = nodes[-1]
            if not isinstance(here, Folder):
                raise _error(errno.ENOTDIR)
            if part in ("", "."):
                continue
            if part == "..":
                if not names:
                    raise self._outside(first, "it leads out of the repository")
                names.pop()
                nodes.pop()
                continue
            node = here.opened().get(part)
            if node is None:
                raise _error(errno.ENOENT)
            if isinstance(node, Link) and (waiting or follow):
                links, first = links + 1, first or "/".join([*names, part])
                self._followed += 1
                if links > MOST_LINKS:
                    raise self._outside(first, f"it leads through more than {MOST_LINKS} others")
                if self._followed > MOST_FOLLOWED:
                    raise self._outside(first, f"more than {MOST_FOLLOWED} links were followed before it")
                target = os.fsdecode(node.read())
                if target.startswith("/") or "\0" in target or Path(target).is_absolute():
                    raise self._outside(first, "it leads out of the repository")
                waiting += target.split("/")[::-1]
                continue
            names.append(part)
            nodes.append(node)
        return names, nodes[-1]

    def _outside(self, link: str, reason: str) -> OutsideError:
        if link:
            self.told.setdefault(link, reason)
        return OutsideError(errno.ENOENT, f"{reason}, so it is no part of this state" if link else reason)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
