"""Imports the program, and then forks for each request that comes to a socket. It ends with its standard input.

    server.py FILE_DESCRIPTOR_OF_THE_SOCKET

A request has three file descriptors, which become the standard streams, the length of a text in four bytes, and the
text: JSON with `args`, `cwd`, `umask` and `env`, whose texts have a character for each byte. The answer is the exit
code, as `subprocess` has it, or that Python has to begin otherwise. Until then each byte from the client is the number
of a signal for the process. One whose client goes away is killed.

Nothing is imported here that the program does not import: its runs would have it, too.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import selectors
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

#: What others import when they are first called.
_LATER = ("typer._adapters", "black", "jinja2", "lark", "tree_sitter_go", "urllib3", "yaml")
#: What needs packages that users may not have, or says something of the process as it begins.
_LATE = ("validation_gen.__main__", "validation_gen.mismatch.metrics", "validation_gen.uses.pytestplugin")

Request = dict[str, Any]


def modules() -> Iterator[str]:
    package = importlib.import_module("validation_gen")
    for found in pkgutil.walk_packages(package.__path__, "validation_gen."):
        if found.name not in _LATE:
            yield found.name


def _deciding(env: Mapping[str, str]) -> dict[str, str]:
    """The variables at which Python looks before it runs anything."""
    return {name: value for name, value in env.items() if name.startswith(("PYTHON", "LC_", "LANG"))}


def _read_grammar() -> None:
    """Has the parser of tags ready, which is made from its grammar when the first tag is parsed."""
    from validation_gen.diagnostics import Span  # noqa: PLC0415 - not before `sys.path` is as the program has it
    from validation_gen.tags.comments import CommentLine  # noqa: PLC0415
    from validation_gen.tags.parser import extract, parse  # noqa: PLC0415

    for tag in extract([CommentLine("+k8s:optional", Span(""))]):
        parse(tag)


class Server:
    def __init__(self, listener: socket.socket) -> None:
        self._selector = selectors.DefaultSelector()
        self._listener = listener
        self._begun = _deciding({_octets(name): _octets(value) for name, value in os.environ.items()})
        self._pids: dict[int, int] = {}  # connection -> process

    def serve(self) -> Request | None:
        """Comes back with a request in each process that is to do it, and without one at the end."""
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(0, selectors.EVENT_READ, None)
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    for pid in self._pids.values():
                        os.kill(pid, signal.SIGKILL)
                    return None
                request: Request | None = key.data()
                if request is not None:
                    return request

    def _accept(self) -> Request | None:
        connection, _ = self._listener.accept()
        data, files, _, _ = socket.recv_fds(connection, 4, 3)
        if len(data) < 4:
            connection.close()
            return None
        size = int.from_bytes(data, "big")
        with connection.makefile("rb") as file:
            request: Request = json.loads(file.read(size))
        if _deciding(request["env"]) != self._begun:
            connection.sendall(b"otherwise")
            connection.close()
            for each in files:
                os.close(each)
            return None
        pid = os.fork()
        if pid == 0:
            self._selector.close()
            for number, each in enumerate(files):
                os.dup2(each, number)
            os.closerange(3, max(*files, connection.fileno(), 256) + 1)
            return request
        for each in files:
            os.close(each)
        ended = os.pidfd_open(pid)
        self._pids[connection.fileno()] = pid
        self._selector.register(ended, selectors.EVENT_READ, lambda: self._end(pid, ended, connection))
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._hear(pid, connection))
        return None

    def _hear(self, pid: int, connection: socket.socket) -> None:
        said = connection.recv(1)
        os.kill(pid, said[0] if said else signal.SIGKILL)
        if not said:
            self._selector.unregister(connection)

    def _end(self, pid: int, ended: int, connection: socket.socket) -> None:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        self._selector.unregister(ended)
        os.close(ended)
        del self._pids[connection.fileno()]
        try:
            self._selector.unregister(connection)
            connection.sendall(str(code).encode())
        except (KeyError, OSError):  # nobody waits for it
            pass
        connection.close()


def become(request: Request) -> None:
    """Goes on as `python -m validation_gen` does in its directory."""
    import runpy  # noqa: PLC0415 - the program has it, as it is run by it

    os.environ.clear()
    os.environ.update((_text(name), _text(value)) for name, value in request["env"].items())
    os.chdir(_text(request["cwd"]))
    os.umask(request["umask"])
    _open_streams()
    sys.argv = ["validation_gen", *map(_text, request["args"])]
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - a text
    runpy.run_module("validation_gen", run_name="__main__", alter_sys=True)


def _octets(text: str) -> str:
    return os.fsencode(text).decode("latin-1")


def _text(octets: str) -> str:
    return os.fsdecode(octets.encode("latin-1"))


def end(raised: BaseException) -> NoReturn:
    """Ends this process as Python would, but does not take down module by module what others have, too."""
    given = raised.code if isinstance(raised, SystemExit) else 1
    code = given if isinstance(given, int) else int(given is not None)
    if not isinstance(raised, SystemExit):
        sys.excepthook(type(raised), raised, raised.__traceback__)
    elif isinstance(given, str):
        sys.stderr.write(f"{given}\n")
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = 120 if stream is sys.stdout else code
    os._exit(code)


def _open_streams() -> None:
    """Opens the standard streams as Python does: what a stream can do is asked when it is opened."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        was = getattr(sys, name)
        mode, buffering = ("wb", 0 if was.write_through else -1) if number else ("rb", -1)
        file = open(number, mode, buffering, closefd=False)  # noqa: SIM115 - until the end
        now = io.TextIOWrapper(
            file,
            was.encoding,
            was.errors,
            newline="\n" if number else None,
            line_buffering=number == 2 or os.isatty(number),
            write_through=was.write_through,
        )
        setattr(sys, name, now)
        setattr(sys, f"__{name}__", now)


def main() -> None:
    import runpy  # noqa: F401, PLC0415 - once for all

    del sys.path[0]  # where this file is
    for name in (*modules(), *_LATER):
        with contextlib.suppress(ImportError):  # such as what needs a package that is not there
            importlib.import_module(name)
    _read_grammar()
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as listener:
        request = Server(listener).serve()
        if request:
            listener.detach()  # it is closed in this process, and its number may be that of another file
    if request:
        try:
            become(request)
        except BaseException as raised:  # also what ends a process
            end(raised)
        end(SystemExit())


main()
