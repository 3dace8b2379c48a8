"""Runs of the program without the time that Python and all imports take: forks of a process that has done both.

Each run is a process as any other, with streams, directory, variables, arguments and an end of its own. What it shares
with others is what they all would import. Tests of how a process begins or hears signals start one by themselves. So
does `run`, where Python cannot fork, and for the first runs with other variables for Python.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from tests.ready.client import OTHERWISE, send

FORKS = hasattr(os, "pidfd_open") and hasattr(socket, "send_fds")

_HERE = Path(__file__).parent
_Key = tuple[tuple[str, str], ...]
#: As many runs as it takes to import everything, instead of what one run needs.
_FEW = 2


def _decides(name: str) -> bool:
    """Whether Python looks at a variable before it runs anything."""
    return name.startswith(("PYTHON", "LC_", "LANG"))


def _key(env: Mapping[str, str]) -> _Key:
    return tuple(sorted((name, value) for name, value in env.items() if _decides(name)))


class Servers:
    """Processes that are ready, one for each way in which Python can begin. They end with this one."""

    def __init__(self) -> None:
        self._known: dict[_Key, _Server] = {}
        self._asked: Counter[_Key] = Counter()

    def is_worth_it(self, env: Mapping[str, str]) -> bool:
        """Whether there is one, or has been wanted so often that it will be wanted again."""
        key = _key(env)
        self._asked[key] += 1
        return FORKS and (key in self._known or self._asked[key] > _FEW)

    def socket(self, env: Mapping[str, str]) -> str:
        """Where the one listens that has begun as Python would with these variables."""
        key = _key(env)
        if key not in self._known:
            self._known[key] = _Server(env)
        return self._known[key].socket

    def close(self) -> None:
        while self._known:
            self._known.popitem()[1].close()


class _Server:
    def __init__(self, env: Mapping[str, str]) -> None:
        self._directory = tempfile.mkdtemp(prefix="ready-")  # not below pytest's: paths of sockets must be short
        self.socket = f"{self._directory}/socket"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(self.socket)
            listener.listen(64)
            self._process = subprocess.Popen(
                [sys.executable, str(_HERE / "server.py"), str(listener.fileno())],
                cwd="/",
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=[listener.fileno()],
                start_new_session=True,
            )

    def close(self) -> None:
        self._process.communicate()  # it ends with its input
        shutil.rmtree(self._directory, ignore_errors=True)


servers = Servers()


def script(env: Mapping[str, str]) -> str:
    """A shell script that is the program, for whoever has these variables, and others for Python where they must."""
    if not FORKS:
        return f'#!/bin/sh\nexec "{sys.executable}" -m validation_gen "$@"\n'
    return f'#!/bin/sh\nexec "{sys.executable}" -IS "{_HERE / "client.py"}" "{servers.socket(env)}" "$@"\n'


def run(
    args: Sequence[str], data: bytes, cwd: str | Path, env: Mapping[str, str], timeout: float = 60
) -> subprocess.CompletedProcess[bytes]:
    """`python -m validation_gen` with arguments, standard input, directory and variables."""
    command = [sys.executable, "-m", "validation_gen", *args]
    if not servers.is_worth_it(env):
        return subprocess.run(command, input=data, capture_output=True, cwd=cwd, env=env, timeout=timeout, check=False)
    with contextlib.ExitStack() as ours, ThreadPoolExecutor(3) as pool:
        connection = ours.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        connection.connect(servers.socket(env))
        with contextlib.ExitStack() as theirs:
            pipes = [os.pipe() for _ in range(3)]
            files = [(pipes[0][0], pipes[0][1]), (pipes[1][1], pipes[1][0]), (pipes[2][1], pipes[2][0])]
            for their, _ in files:
                theirs.callback(os.close, their)
            streams = [os.fdopen(our, mode) for (_, our), mode in zip(files, ("wb", "rb", "rb"), strict=True)]
            send(connection, args, str(cwd), env, [their for their, _ in files])
        written = pool.submit(_write, streams[0], data)
        read = [pool.submit(_read, stream) for stream in streams[1:]]
        connection.settimeout(timeout)
        try:
            code = connection.recv(100)
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, timeout) from None
        finally:
            connection.close()  # which ends the process, if it is there still
        written.result()
        out, err = (each.result() for each in read)
    assert code not in (b"", OTHERWISE), "the process that is ready has gone, or is another"
    return subprocess.CompletedProcess(command, int(code), out, err)


def _write(stream: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), stream:
        stream.write(data)


def _read(stream: IO[bytes]) -> bytes:
    with stream:
        return stream.read()
