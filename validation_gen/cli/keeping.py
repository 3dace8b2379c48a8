"""Keeps what a run would say if it were called once more, where nothing is left to do: `again` says it then."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO, cast

from validation_gen.build.config import named
from validation_gen.cli.again import KIND, STREAMS, Asked, Kept, asked, encode, state
from validation_gen.cli.configured import Configured
from validation_gen.emit.output import is_ours
from validation_gen.files import reading
from validation_gen.sources.questions import Question, ask
from validation_gen.sources.recorded import Notes
from validation_gen.uses.generate.cache.fingerprint import fingerprint
from validation_gen.uses.generate.cache.store import save


class _Taken:
    """A stream that notes what is written, and for the rest says what the real one would."""

    def __init__(self, real: TextIO, sign: str, words: list[tuple[str, str]]) -> None:
        self._real, self._sign, self._words = real, sign, words

    def write(self, text: str) -> int:
        if self._words and self._words[-1][0] == self._sign:
            self._words[-1] = (self._sign, self._words[-1][1] + text)
        else:
            self._words.append((self._sign, text))
        return len(text)

    def flush(self) -> None:
        """Has nothing to do."""

    def isatty(self) -> bool:
        return self._real.isatty()

    def fileno(self) -> int:
        return self._real.fileno()


def keep(
    now: Configured,
    place: Path,
    notes: Notes,
    outputs: Sequence[tuple[str, Mapping[str, str]]],
    rehearse: Callable[[], None],
) -> None:
    """Keeps the words of `rehearse`, if another run like this one could only depend on what is known of this one.

    Args:
        now: the configuration.
        place: where results are kept.
        notes: what the readers of sources asked.
        outputs: directories, as they are now, and files that have been written there or were there.
        rehearse: prints what would be printed.
    """
    run = asked()
    if run is None or run.place != str(place) or not notes.consistent or not _is_known(now, run):
        return
    answers: dict[Question, str] = {**run.configuration, **notes.answers}
    places = []
    for directory, files in outputs:
        most = 4 * len(files) + 64
        found = _state(directory, most, files)
        if not found:
            return
        places.append((directory, most, found))
        question = ("real_path", directory)
        answers[question] = ask(question)
    with contextlib.suppress(OSError, UnicodeError):
        words = _said(rehearse)
        save(place, run.key, encode(Kept(fingerprint(), answers, places, words)), kind=KIND)


def _is_known(now: Configured, run: Asked) -> bool:
    """Whether all that the configuration has to do with a run is in the answers about it."""
    config = now.config
    if config.file is None:
        return True
    here = os.getcwd()  # noqa: PTH109 - a text is wanted
    answer = run.configuration.get(("file", os.path.join(here, config.file)), "failed")  # noqa: PTH118
    trusted = named.code(config, here) or named.outside(config) or now.is_configured("cache_dir")
    return not (answer.startswith("failed") or trusted)


def _state(directory: str, most: int, files: Mapping[str, str]) -> str:
    """The digest of an output directory in which there are these files, `""` if there are generated ones beside."""
    contents = {name: text.encode(errors="replace") for name, text in files.items()}
    found = state(directory, most, contents)
    for name in _others(directory, contents) if found else ():
        with contextlib.suppress(OSError, ValueError):
            if not is_ours(name, reading.read(f"{directory}/{name}")):
                continue
        return ""
    return found


def _others(directory: str, files: Mapping[str, bytes]) -> Iterator[str]:
    for above, _, names in os.walk(directory):
        beyond = os.path.relpath(above, directory)
        for name in names:
            path = name if beyond == "." else f"{Path(beyond).as_posix()}/{name}"
            if path not in files and not name.endswith(".pyc"):
                yield path


def _said(rehearse: Callable[[], None]) -> list[tuple[str, str]]:
    words: list[tuple[str, str]] = []
    taken = {name: cast("TextIO", _Taken(getattr(sys, name), sign, words)) for sign, name in STREAMS.items()}
    with contextlib.redirect_stdout(taken["stdout"]), contextlib.redirect_stderr(taken["stderr"]):
        rehearse()
    return words
