"""Waits until an answer about the file system changes, for commands that run again then.

Events of the file system only wake the loop: it ends if a recorded answer has changed.
"""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

import validation_gen
from validation_gen.files.reading import is_below
from validation_gen.sources.fs_queries import LISTINGS, Question, ask

#: Milliseconds without a change before a round begins: an editor may write a file in several steps.
_QUIET = 100
#: Milliseconds after which a round begins although changes continue.
_LONGEST = 1600
#: Milliseconds until the first check for changes made before the watch began.
_FIRST_LOOK = 300
#: Seconds between checks of files without events.
_NEXT_LOOK = 2.0


class WatchError(Exception):
    """The system refuses to watch. The text has the reason."""


def changes(answers: Mapping[Question, str], known: set[str]) -> list[str]:
    """Waits until an answer changes, and unloads modules of the user that are not in `known`."""
    answers = {**answers, **{("file", file): ask(("file", file)) for file in forget_modules(known)}}
    return wait(answers, [])


def forget_modules(known: set[str]) -> list[str]:
    """Unloads modules of the user, which a round imported for `--emit harness`, and returns their files."""
    installed = (*sysconfig.get_paths().values(), os.path.dirname(validation_gen.__file__))  # noqa: PTH120
    files = []
    for name in sys.modules.keys() - known:
        file = getattr(sys.modules[name], "__file__", None)
        if isinstance(file, str) and os.path.isfile(file) and not is_in(file, installed):  # noqa: PTH113
            files.append(file)
            del sys.modules[name]
    return files


def upwards(path: str) -> Iterator[str]:
    """Yields the directories above a path, the nearest first."""
    while (above := os.path.dirname(path)) != path:  # noqa: PTH120
        yield above
        path = above


def is_in(path: str, outputs: Iterable[str]) -> bool:
    """Tells whether a path is one of the outputs or below one."""
    path = os.path.abspath(path)  # noqa: PTH100
    return any(path == place or is_below(path, place) for place in map(os.path.abspath, outputs))


def wait(answers: Mapping[Question, str], outputs: Sequence[str]) -> list[str]:
    """Waits until the answer of a query changes. Returns the paths of the changed queries."""
    while True:
        # A watched path may have been replaced by one of the same content: that ends the watch without a change.
        with contextlib.suppress(FileNotFoundError):  # or the path was deleted before the watch
            for _ in _wakings(answers, outputs):
                changed = [path for (kind, path), answer in answers.items() if ask((kind, path)) != answer]
                if changed:
                    return changed


def _wakings(answers: Mapping[Question, str], outputs: Sequence[str]) -> Iterator[None]:
    """Yields when something may have changed, first for changes before the watch. Ends when the paths to watch change.

    It also checks from time to time: `watchfiles` loses events while it gives up waiting, and network file systems send
    none.

    Raises:
        FileNotFoundError: a directory to watch was deleted.
        WatchError: the system refuses to watch.
    """
    import watchfiles  # noqa: PLC0415 - an extra

    places, names, listed = _places(answers)
    looked = False
    seen: list[tuple[int, ...]] = []
    due = 0.0
    try:
        for events in watchfiles.watch(
            *places,
            watch_filter=None,  # otherwise only accepted events would arrive, and not the first check either
            step=_QUIET,
            debounce=_LONGEST,
            rust_timeout=_FIRST_LOOK,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
        ):
            paths = [path for _, path in events if not is_in(path, outputs)]
            matters = any(path in names or os.path.dirname(path) in listed for path in paths)  # noqa: PTH120
            if (now := time.monotonic()) >= due:
                due = now + _NEXT_LOOK
                before, seen = seen, _states(names)
                matters = matters or (looked and seen != before)
            if matters or not looked:
                yield
            if matters or (not looked and _places(answers)[0] != places):
                return
            looked = True
    except (RuntimeError, OSError) as problem:  # such as the limit of the system for watches
        if isinstance(problem, FileNotFoundError):
            raise
        raise WatchError(f"the system does not let us watch: {problem}") from None


def _places(answers: Mapping[Question, str]) -> tuple[set[str], set[str], set[str]]:
    """Returns the directories to watch, the relevant paths in them, and the directories whose listings are relevant."""
    places: set[str] = set()
    names: set[str] = set()
    listed: set[str] = set()
    for kind, argument in answers:
        if kind == "variable":
            continue
        for path in {os.path.abspath(argument), os.path.realpath(argument)}:  # noqa: PTH100
            names.add(path)
            if kind in LISTINGS:
                listed.add(path)
            if kind in LISTINGS and os.path.isdir(path):  # noqa: PTH112
                places.add(path)
                continue
            for above in upwards(path):
                if os.path.isdir(above):  # noqa: PTH112
                    places.add(above)
                    break
                names.add(above)
    return places, names, listed


def _states(paths: Iterable[str]) -> list[tuple[int, ...]]:
    """Returns the states of files and directories by `stat`. Equal states mean equal content."""
    states: list[tuple[int, ...]] = []
    for path in paths:
        try:
            state = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            states.append(())
        else:
            states.append((state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns))
    return states
