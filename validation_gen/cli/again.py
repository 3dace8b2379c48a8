"""Says again what a run said in which nothing was to be done, if nothing has changed since: in a fraction of its time.

What a run depends on is asked again: the command line and the environment, the program to the last byte, the
configuration, all that readers of sources asked, and the output directories. Only answers that are all the same count,
and contents are compared, never times of files. Nothing slow is imported here. `keeping` writes what is read here.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping

from validation_gen.files import reading
from validation_gen.files.digests import blake2b, digest
from validation_gen.files.ownership import read_own
from validation_gen.sources.questions import CACHES, Question, ask, is_question
from validation_gen.uses.generate.cache.fingerprint import fingerprint
from validation_gen.uses.generate.cache.place import VARIABLE, cache_place

#: Stands for the seconds of a run in what is kept of its words.
SECONDS = "\0seconds\0"
#: How the name of what is kept ends.
KIND = "words"
#: Streams by the sign that they have in what is kept.
STREAMS = {"o": "stdout", "e": "stderr"}

_EDITION = "1"
_MOST = 64 * 2**20
#: Commands of which words are kept, each of which may have a place of its own for results.
COMMANDS = ("generate", "check")
#: What differs from shell to shell, and no run depends on.
_INDIFFERENT = ("_", "SHLVL", "OLDPWD")
#: Where a page of the run is written to by each run.
_PAGE = "GITHUB_STEP_SUMMARY"
_CONFIGURATIONS = ("validation-gen.toml", "pyproject.toml")


class Kept:
    """What is kept of a run: answers, output directories with the most entries and a digest of each, and its words."""

    def __init__(
        self,
        fingerprint: str,
        answers: Mapping[Question, str],
        outputs: list[tuple[str, int, str]],
        words: list[tuple[str, str]],
    ) -> None:
        self.fingerprint = fingerprint
        self.answers = answers
        self.outputs = outputs
        self.words = words

    def holds(self) -> bool:
        """Whether a run would be told and find the same. Raises an OSError where the program is being replaced."""
        return (
            all(ask(question) == answer for question, answer in self.answers.items())
            and all(state(place, most) == found for place, most, found in self.outputs)
            and self.fingerprint == fingerprint()
        )


class Asked:
    """A run as it was asked for, before it read anything.

    Attributes:
        key: a digest of the command line, the environment, the directory and the terminal.
        place: where results are kept, `""` for nowhere.
        configuration: answers about the files that could configure the run.
    """

    def __init__(self, given: list[str], environ: Mapping[str, str]) -> None:
        here = os.getcwd()  # noqa: PTH109 - pathlib is slow to import
        self.key = _key(given, environ, here)
        self.place = cache_place(_cache_named(given, environ), environ)
        self.configuration = {question: ask(question) for question in _configuring(given, environ, here)}

    @property
    def file(self) -> str:
        """The file that has what is kept."""
        return os.path.join(self.place, f"{self.key}.{KIND}")  # noqa: PTH118


_asked: Asked | None = None


def asked() -> Asked | None:
    """The run of this process, if its words can be kept."""
    return _asked


def repeated(given: list[str], environ: Mapping[str, str]) -> bool:
    """Whether a run was to do nothing and has been answered, by what an earlier one said."""
    global _asked  # noqa: PLW0603 - the process has one command line
    begun = time.monotonic()
    _asked = None
    if environ.get(_PAGE):
        return False
    try:
        now = Asked(given, environ)
        _asked = now if now.place else None
        kept = _load(now) if now.place else None
        if kept is None or not kept.holds():
            return False
    except (OSError, ValueError, IndexError):  # the run itself will meet what is wrong
        return False
    for sign, text in kept.words:
        stream = getattr(sys, STREAMS[sign])
        stream.write(text.replace(SECONDS, f"{time.monotonic() - begun:.1f}"))
        stream.flush()
    return True


def encode(kept: Kept) -> bytes:
    """What is kept as bytes: a checksum, and texts with their lengths.

    Raises:
        UnicodeEncodeError: a text has characters that no file can hold.
    """
    answers = [text for (kind, argument), answer in kept.answers.items() for text in (kind, argument, answer)]
    outputs = [str(part) for each in kept.outputs for part in each]
    words = [part for each in kept.words for part in each]
    fields = [_EDITION, kept.fingerprint]
    for part in (answers, outputs, words):
        fields += [str(len(part)), *part]
    parts = []
    for text in fields:
        content = text.encode(errors="surrogateescape")
        parts.append(b"%d:%s" % (len(content), content))
    body = b"".join(parts)
    return digest(body).encode() + body


def decode(content: bytes) -> Kept:
    """Decodes what `encode` made.

    Raises:
        ValueError: the bytes are something else, or have been cut or changed.
        IndexError: likewise.
    """
    body = content[40:]
    if content[:40] != digest(body).encode():
        raise ValueError
    fields = list(_fields(body))
    if fields[0] != _EDITION:
        raise ValueError
    parts, at = [], 2
    for _ in range(3):
        end = at + 1 + int(fields[at])
        rows = iter(fields[at + 1 : end])
        parts.append(rows)
        at = end
    answers, outputs, words = parts
    found = {(kind, argument): answer for kind, argument, answer in zip(answers, answers, answers, strict=True)}
    if not all(is_question(*question) for question in found):
        raise ValueError
    places = [(place, int(most), known) for place, most, known in zip(outputs, outputs, outputs, strict=True)]
    said = list(zip(words, words, strict=True))
    if not all(sign in STREAMS for sign, _ in said):
        raise ValueError
    return Kept(fields[1], found, places, said)


def state(directory: str, most: int, instead: Mapping[str, bytes] | None = None) -> str:
    """A digest of all that is in a directory, by name and content.

    Args:
        directory: the directory.
        most: of more entries, or where something is neither a file nor a directory, nothing is told: `""`.
        instead: contents of files, by path below the directory, that are taken instead of those on disk.
    """
    whole = blake2b(digest_size=20)
    names: list[str] = []
    try:
        for name, is_directory in _walk(directory, most):
            names.append(name)
            if is_directory:
                whole.update(f"d{name}\0".encode(errors="surrogateescape"))
                continue
            content = instead.get(name) if instead else None
            if content is None:
                content = reading.read(f"{directory}/{name}")
            whole.update(f"f{name}\0{len(content)}\0".encode(errors="surrogateescape"))
            whole.update(content)
    except (OSError, ValueError):
        return ""
    if instead and not instead.keys() <= set(names):
        return ""
    return whole.hexdigest()


def _walk(directory: str, most: int) -> Iterator[tuple[str, bool]]:
    """Everything below a directory in a fixed order, with whether it is a directory. What Python caches is left out.

    Raises:
        OSError: it cannot be listed.
        ValueError: there is too much of it, or something else.
    """
    waiting = [""]
    while waiting:
        above = waiting.pop()
        with os.scandir(f"{directory}/{above}") as found:
            entries = sorted((entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in found)
        most -= len(entries)
        if most < 0:
            raise ValueError
        for name, mode in entries:
            if stat.S_ISDIR(mode):
                if name != CACHES:
                    waiting.append(f"{above}{name}/")
                    yield above + name, True
            elif stat.S_ISREG(mode):
                yield above + name, False
            else:
                raise ValueError


def _load(now: Asked) -> Kept | None:
    if os.path.islink(now.place) or not os.path.lexists(now.file):  # noqa: PTH114
        return None
    kept = decode(read_own(now.file, _MOST))
    with contextlib.suppress(OSError):
        os.utime(now.file)  # it counts as used
    return kept


def _fields(body: bytes) -> Iterator[str]:
    at = 0
    while at < len(body):
        colon = body.index(b":", at)
        end = colon + 1 + int(body[at:colon])
        yield body[colon + 1 : end].decode(errors="surrogateescape")
        at = end


def _key(given: list[str], environ: Mapping[str, str], here: str) -> str:
    terminal = [str(stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    if "True" in terminal:
        terminal += [str(part) for part in _size()]
    variables = [f"{name}={value}" for name, value in sorted(environ.items()) if name not in _INDIFFERENT]
    known = "\0\0".join("\0".join(part) for part in (given, variables, [here], terminal))
    return digest(known.encode(errors="surrogateescape"))


def _size() -> tuple[int, int]:
    """How large the terminal is."""
    for stream in (sys.stdout, sys.stderr):
        try:
            columns, lines = os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):  # it is no terminal, or has no descriptor
            continue
        return columns, lines
    return 0, 0


def _cache_named(given: list[str], environ: Mapping[str, str]) -> str:
    """The directory for results as far as it can be known without the commands; `keeping` finds out if it is that."""
    named = _values("--cache-dir", given)
    own = [f"VALIDATION_GEN_{command.upper()}_CACHE_DIR" for command in COMMANDS]
    return (named or [environ[name] for name in (*own, VARIABLE) if environ.get(name)] or [""])[-1 if named else 0]


def _configuring(given: list[str], environ: Mapping[str, str], here: str) -> Iterator[Question]:
    """What decides which configuration a run has, and to which project it belongs."""
    named = [*_values("--config", given), environ.get("VALIDATION_GEN_CONFIG", "")]
    files = [os.path.join(here, each) for each in named if each]  # noqa: PTH118
    for file in files:
        yield "file", file
    for place in dict.fromkeys([here, *map(os.path.dirname, files)]):
        directory = place
        while True:
            for name in _CONFIGURATIONS:
                yield "file", os.path.join(directory, name)  # noqa: PTH118
            yield "exists", os.path.join(directory, ".git")  # noqa: PTH118
            above = os.path.dirname(directory)  # noqa: PTH120
            if above == directory:
                break
            directory = above


def _values(option: str, given: list[str]) -> list[str]:
    """The values of an option on a command line."""
    found = []
    for word, following in zip(given, [*given[1:], ""], strict=True):
        if word == option:
            found.append(following)
        elif word.startswith(f"{option}="):
            found.append(word.partition("=")[2])
    return found
