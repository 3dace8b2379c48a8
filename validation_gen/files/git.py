"""Runs git, safely on untrusted repositories.

Only commands that read are run, and no setting of a repository can make them start a program or prompt: no hooks,
monitors, pagers, helpers or filters, no protocol at all, so that objects missing from a partial clone are not fetched.
Variables that git sets for hooks of a repository are removed. Each process has a deadline.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

#: Deadline of one process, in seconds; of one that answers queries, for each answer.
SECONDS = 120.0
_MOST_SAID = 2**20
_MOST_OF_REASONS = 8192
_CHUNK = 2**16

# The user's own settings are kept: they name the safe directories of others. All other variables of git would redirect
# it.
_KEPT = frozenset(
    "GIT_CEILING_DIRECTORIES GIT_DISCOVERY_ACROSS_FILESYSTEM "
    "GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM".split()
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # an empty list
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
}
# Settings on the command line take precedence over those of a repository.
_SETTINGS = (
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class GitError(Exception):
    """An error of git, or the reason why it is not run."""


def is_digest(text: str) -> bool:
    """Returns whether this is the full name of an object."""
    return _DIGEST.fullmatch(text) is not None


def run(directory: str, *args: str, repository: str = "") -> bytes:
    """Returns git's output.

    Args:
        directory: git's working directory, from where it searches for the repository.
        args: the command. No argument may begin with a dash unless it is meant as an option.
        repository: the directory of git's own files, instead of the search.

    Raises:
        GitError: it failed, takes too long, prints too much, or there is no git.
    """
    with Process(directory, *args, repository=repository) as git:
        output = git.output.read(_MOST_SAID + 1)
        if len(output) > _MOST_SAID:
            raise GitError(f"git says more than {_MOST_SAID >> 20} MiB")
        git.finish()
        return output


def records(*args: str, repository: str, longest: int) -> Iterator[bytes]:
    """Yields git's output as records that end in NUL.

    Raises:
        GitError: as for `run`; or a record has more than `longest` bytes.
    """
    with Process(repository, *args, repository=repository) as git:
        rest = b""
        while chunk := git.output.read(_CHUNK):
            *whole, rest = (rest + chunk).split(b"\0")
            if len(rest) > longest or any(len(each) > longest for each in whole):
                raise GitError(f"an entry has more than {longest} bytes")
            yield from whole
        git.finish()


class Process:
    """A git process that ends with the `with` block, or at its deadline. `asked`: its input is a pipe."""

    def __init__(self, directory: str, *args: str, repository: str = "", asked: bool = False) -> None:
        settings = [text for setting in _SETTINGS for text in ("-c", setting)]
        place = [f"--git-dir={repository}"] if repository else []
        options = ["--no-pager", "--no-replace-objects", "--no-optional-locks", *settings, "-C", directory, *place]
        kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - no shell, and options come from here alone
                [_program(), *options, *args],
                stdin=subprocess.PIPE if asked else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=kept | _ENVIRONMENT,
                start_new_session=True,  # so that the whole process group can be killed
            )
        except (OSError, ValueError) as error:
            raise GitError(f"git cannot be run: {error}") from None
        #: Time at which it is killed; None while no answer is awaited.
        self.deadline: float | None = time.monotonic() + SECONDS
        self.late = False
        self._reasons = b""
        self._done = threading.Event()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._listen, self._watch)]
        for thread in self._threads:
            thread.start()

    @property
    def input(self) -> IO[bytes]:
        assert self._process.stdin
        return self._process.stdin

    @property
    def output(self) -> IO[bytes]:
        assert self._process.stdout
        return self._process.stdout

    def finish(self) -> None:
        """Waits for the end.

        Raises:
            GitError: the process failed.
        """
        code = self._process.wait()
        self._threads[0].join(SECONDS)
        if self.late:
            raise GitError(f"git has not answered within {SECONDS:.0f} seconds, so it was stopped")
        if code:
            lines = self._reasons.decode(errors="replace").splitlines()
            reasons = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")]
            raise GitError((reasons or lines[-1:] or [f"git ended with code {code}"])[0])

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._end()
        self._process.wait()
        for thread in self._threads:
            thread.join(SECONDS)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):  # the last query may never have been read
                    pipe.close()

    def _end(self) -> None:
        if self._process.poll() is not None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _watch(self) -> None:
        while not self._done.wait(1.0):
            deadline = self.deadline
            if deadline is not None and time.monotonic() >= deadline:
                self.late = True
                self._end()
                return

    def _listen(self) -> None:
        assert self._process.stderr
        with contextlib.suppress(OSError, ValueError):
            while output := self._process.stderr.read(_CHUNK):
                self._reasons = (self._reasons + output)[:_MOST_OF_REASONS]


class Objects:
    """Contents of objects of a repository, by their names, read on demand."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._git: Process | None = None

    def blob(self, digest: str, most: int) -> bytes:
        """Returns the content of a file.

        Raises:
            OSError: it is missing, is not a file, or has more than `most` bytes; `strerror` has the reason.
        """
        try:
            return self._blob(digest, most)
        except (GitError, BrokenPipeError) as error:
            reason = self._reason() or str(error)
            raise OSError(errno.EIO, f"git cannot read it: {reason}") from None
        except BaseException:
            self.close()  # half an answer may be in the pipe
            raise

    def _blob(self, digest: str, most: int) -> bytes:
        if self._git is None:
            self._git = Process(self._repository, "cat-file", "--batch", repository=self._repository, asked=True)
        git = self._git
        git.deadline = time.monotonic() + SECONDS
        git.input.write(f"{digest}\n".encode())
        git.input.flush()
        head = git.output.readline(_CHUNK).split()
        if head == [digest.encode(), b"missing"]:
            git.deadline = None
            raise FileNotFoundError(errno.ENODATA, "the repository is a partial copy, which lacks it: fetch it first")
        if len(head) != 3 or head[0] != digest.encode():
            raise GitError("it gives no answer")
        if head[1] != b"blob":
            raise OSError(errno.EINVAL, "it is not a file")
        size = int(head[2])
        if size > most:
            raise OSError(errno.EFBIG, f"it holds {size} bytes, and at most {most} are read")
        content = git.output.read(size + 1)
        if len(content) != size + 1:
            raise GitError("it breaks off")
        git.deadline = None
        return content[:-1]

    def _reason(self) -> str:
        """Returns the error text of an ended process."""
        try:
            if self._git is not None:
                self._git.finish()
        except GitError as error:
            return str(error)
        finally:
            self.close()
        return ""

    def close(self) -> None:
        if self._git is not None:
            git, self._git = self._git, None
            git.__exit__(None, None, None)


def _program() -> str:
    """Returns the path of git from an absolute entry of PATH: a relative entry could be a foreign directory."""
    places = [place for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(place).is_absolute()]
    found = shutil.which("git", path=os.pathsep.join(places)) if places else None
    if found is None or not Path(found).is_absolute():
        raise GitError("git cannot be run: there is none in the directories of PATH")
    return found
