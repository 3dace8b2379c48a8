"""Inputs that change while they are read: files that come, go, grow, become directories, links or pipes.

Readers and writers ask the system by a few functions of `os`. While a run goes on, one of these calls, drawn by the
seed, is preceded by a change to the project. So each try is the same every time, unlike one that needs a second
thread to come at the right moment.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from unittest import mock

from tests.attack.inputs import SOURCE_COMMANDS, small_api
from tests.attack.watching import unwatched
from tests.attack.yard import Yard

_OWN = ("made: project/apis", "gone: project/apis", "changed: project/apis", "made a link: ")
_CALLS = ("stat", "lstat", "scandir", "open", "listdir", "replace", "rename", "mkdir")


def changing_directories(yard: Yard, seed: int, tries: int) -> list[str]:
    """Files and directories that change between two looks at them."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"moving {seed} {number}")
        yard.clear()
        for name, content in small_api():
            yard.write(f"apis/{name}", content)
        command = [word if word != "." else "apis" for word in draw.choice(SOURCE_COMMANDS)]
        with _moved(draw, yard) as done:
            ended, found = yard.attack(*command)
        # What the attack has done itself. What a run would do there, the hook of `watching` hears.
        found = [fault for fault in found if not fault.startswith(_OWN)]
        which = f"{' '.join(command)} (seed {seed}, try {number}, {done})"
        faults += [f"{which}: {fault}" for fault in found]
        if ended.code not in {0, 1, 2}:
            faults.append(f"{which}: exit code {ended.code}")
    return faults


@contextmanager
def _instead(functions: dict[str, Callable[..., Any]]) -> Iterator[None]:
    """Has other functions in `os` within the block."""
    with ExitStack() as stack:
        for name, function in functions.items():
            stack.enter_context(mock.patch.object(os, name, function))
        yield


@contextmanager
def _moved(draw: random.Random, yard: Yard) -> Iterator[list[str]]:
    """Makes one change at a drawn call of the system, and another one at a later call."""
    when = {draw.randrange(1, 400), draw.randrange(1, 1500)}
    done: list[str] = []
    count = [0]
    real = {name: getattr(os, name) for name in _CALLS}

    def between(name: str) -> Callable[..., Any]:
        def ask(*args: Any, **named: Any) -> Any:
            count[0] += 1
            if count[0] in when:
                with _instead(real), unwatched(), suppress(OSError):
                    done.append(_change(draw, yard))
            return real[name](*args, **named)

        return ask

    with _instead({name: between(name) for name in _CALLS}):
        yield done


def _change(draw: random.Random, yard: Yard) -> str:
    """Changes something in the sources or in the output. Returns what."""
    roots = [yard.project / "apis", yard.out]
    found = [path for root in roots for path in sorted(root.rglob("*")) if "cache" not in path.parts]
    path = draw.choice(found)
    kind = draw.choice(["gone", "link to outside", "directory", "pipe", "empty", "longer", "no text", "no rights"])
    if kind in {"gone", "link to outside", "directory", "pipe"}:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
        if kind == "link to outside":
            path.symlink_to(yard.precious)
        elif kind == "directory":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
    elif kind == "no rights":
        path.chmod(0)
    elif path.is_file():
        path.write_bytes({"empty": b"", "longer": path.read_bytes() * 2, "no text": b"\xff\0" * 50}[kind])
    return f"{kind}: {path.relative_to(yard.root)}"
