"""What a run does to the system: files that it opens for writing, programs that it starts, code of others that it runs.

Python tells its audit hooks of each of these. A hook cannot be taken out again, so there is one, and it only listens
within `watched`. Besides, `listing` takes down what a directory holds, for everything that goes past Python.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import CodeType

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
#: Events with paths that change what is there, and how many of their arguments are such paths.
_CHANGES = {
    "os.mkdir": 1,
    "os.rename": 2,
    "os.remove": 1,
    "os.rmdir": 1,
    "os.symlink": 2,
    "os.link": 2,
    "os.truncate": 1,
    "os.chmod": 1,
    "os.chown": 1,
    "os.utime": 1,
    "shutil.rmtree": 1,
    "shutil.move": 2,
}
_PROGRAMS = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "pty.spawn"}
_PEERS = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request"}


@dataclass(slots=True)
class Seen:
    """What has been done within `watched`, as sentences, and the thread that is meant.

    Attributes:
        writable: real directories in which a run may write.
        foreign: the real directory whose code must not run.
    """

    writable: tuple[str, ...]
    foreign: str
    thread: int = field(default_factory=threading.get_ident)
    deeds: list[str] = field(default_factory=list)

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, mode, flags = (*arguments, None, None, None)[:3]
            writes = (isinstance(flags, int) and flags & _WRITES) or (isinstance(mode, str) and set(mode) & set("wax+"))
            if writes and not self._may_write(path):
                self.deeds.append(f"opened for writing: {path!r}")
        elif event in _CHANGES:
            for path in arguments[: _CHANGES[event]]:
                if not self._may_write(path):
                    self.deeds.append(f"{event}: {path!r}")
        elif event in _PROGRAMS or event in _PEERS:
            self.deeds.append(f"{event}: {arguments!r}")
        elif event == "exec" and isinstance(code := arguments[0], CodeType) and self._is_foreign(code.co_filename):
            self.deeds.append(f"ran code of {code.co_filename}")

    def _may_write(self, path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return True  # a descriptor, which somebody has opened before
        text = os.fsdecode(path)
        if text == os.devnull:
            return True
        if "/" not in text and text not in {"", ".", ".."}:
            return True  # possibly below a directory's descriptor: what it comes to, the listing shows
        real = os.path.join(os.path.realpath(os.path.dirname(text)), os.path.basename(text))  # noqa: PTH118, PTH119, PTH120
        return any(real == root or real.startswith(f"{root}{os.sep}") for root in self.writable)

    def _is_foreign(self, file: str) -> bool:
        return file.endswith(".py") and os.path.realpath(file).startswith(f"{self.foreign}{os.sep}")


_listening: list[Seen] = []
_state = {"installed": False, "busy": False}


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if not _listening or _state["busy"] or threading.get_ident() != _listening[-1].thread:
        return
    _state["busy"] = True  # looking at paths asks the system, too
    try:
        _listening[-1].hear(event, arguments)
    finally:
        _state["busy"] = False


@contextmanager
def watched(writable: Sequence[Path], foreign: Path) -> Iterator[Seen]:
    """Takes down what happens within the block in this thread."""
    if not _state["installed"]:
        sys.addaudithook(_hook)
        _state["installed"] = True
    seen = Seen(tuple(os.path.realpath(path) for path in writable), os.path.realpath(foreign))
    _listening.append(seen)
    try:
        yield seen
    finally:
        _listening.remove(seen)


@contextmanager
def unwatched() -> Iterator[None]:
    """Takes nothing down within the block: what happens there is the attack."""
    before = _state["busy"]
    _state["busy"] = True
    try:
        yield
    finally:
        _state["busy"] = before


def listing(root: Path, without: Sequence[Path] = ()) -> dict[str, str]:
    """Everything below a directory by its path: kind, mode, and a digest of what it holds or where it leads."""
    left_out = {str(path) for path in without}
    found: dict[str, str] = {}
    for directory, directories, files in os.walk(root):
        directories[:] = [name for name in directories if str(Path(directory, name)) not in left_out]
        for name in (*directories, *files):
            path = Path(directory, name)
            if str(path) in left_out:
                continue
            with contextlib.suppress(OSError):  # an attack may be moving it just now
                found[str(path.relative_to(root))] = _state_of(path)
    return found


def _state_of(path: Path) -> str:
    state = path.lstat()
    content = b""
    if stat.S_ISLNK(state.st_mode):
        content = os.fsencode(os.readlink(path))  # noqa: PTH115 - of a name that may be no text
    elif stat.S_ISREG(state.st_mode):
        content = path.read_bytes()
    return f"{state.st_mode:o} {blake2b(content, digest_size=8).hexdigest()}"


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What differs between two listings, as sentences."""
    made = [f"made: {name}" for name in after.keys() - before.keys()]
    gone = [f"gone: {name}" for name in before.keys() - after.keys()]
    other = [f"changed: {name}" for name in before.keys() & after.keys() if before[name] != after[name]]
    return sorted(made + gone + other)
