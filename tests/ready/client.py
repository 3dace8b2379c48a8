"""`validation-gen` for shells: a run by a process that is ready, with the streams, directory and variables of this one.

    client.py SOCKET ARGUMENT…

Signals that reach this process reach the run, and this one ends as the run does. It imports little, as it is to be
quick. Where Python has to begin in another way than that process did, it begins here.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

#: The answer to a request for which Python has to begin otherwise.
OTHERWISE = b"otherwise"


def send(
    connection: socket.socket, args: Sequence[str], cwd: str, env: Mapping[str, str], files: Sequence[int]
) -> None:
    """Asks for a run with these files as its standard streams. What comes back is its exit code."""
    umask = os.umask(0o077)
    os.umask(umask)
    request = {
        "umask": umask,
        "args": [_octets(each) for each in args],
        "cwd": _octets(cwd),
        "env": {_octets(name): _octets(value) for name, value in env.items()},
    }
    message = json.dumps(request).encode()
    socket.send_fds(connection, [len(message).to_bytes(4, "big")], list(files))
    connection.sendall(message)


def _octets(text: str) -> str:
    """A character for each byte: what a text means to the other process depends on its variables."""
    return os.fsencode(text).decode("latin-1")


def main(place: str, args: list[str]) -> NoReturn:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(place)
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: connection.sendall(bytes([number])))
    send(connection, args, os.getcwd(), os.environ, (0, 1, 2))  # noqa: PTH109 - pathlib is slow to import
    answer = connection.recv(100)
    if answer == OTHERWISE:
        os.execv(sys.executable, [sys.executable, "-m", "validation_gen", *args])
    code = int(answer or b"70")
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
