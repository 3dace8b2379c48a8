"""Keeps the results of runs, so that an unchanged run need not compile: a file for each result, named by its inputs.

The cache directory: its location, atomic writes, bounded size, and no failures.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import validation_gen
from validation_gen.commands.distributed import codec
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic
from validation_gen.emit.output.files import problem_with
from validation_gen.emit.text import place as templates
from validation_gen.files.reading import blake2b, foreign_directory, read_own, user_directory
from validation_gen.sources.fs_queries import Question, is_question, still_holds
from validation_gen.sources.recording_fs import record, replay_queries

#: If there are more or larger entries, the least recently used ones are removed.
MOST_ENTRIES = 64
MOST_BYTES = 256 * 2**20

_TEMPORARY = ".part-"
_PATIENCE = 3600.0  # seconds after which an unfinished file counts as abandoned
_ENTRY = re.compile(r"[0-9a-f]{40}\.json")


def distrust(directory: Path) -> str:
    """Returns the reason why a directory is not used; `""` if it is safe, or does not exist yet."""
    try:
        return "it is a link" if directory.is_symlink() else foreign_directory(directory)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        return f"it cannot be looked at: {getattr(error, 'strerror', None) or error}"


def load(directory: Path, key: str) -> bytes | None:
    """Loads an entry, which marks it as used. Files that others may have written are ignored."""
    path = directory / f"{key}.json"
    try:
        if directory.is_symlink():
            return None
        content = read_own(path, MOST_BYTES + 1)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return content


def save(directory: Path, key: str, content: bytes) -> None:
    """Stores an entry atomically. Does nothing if that is impossible."""
    if len(content) > MOST_BYTES:
        return
    with contextlib.suppress(OSError, ValueError):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if distrust(directory):
            return
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=_TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).replace(directory / f"{key}.json")
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
        _tidy(directory, f"{key}.json")


def _tidy(directory: Path, newest: str) -> None:
    """Evicts entries beyond the limits: own files only, and never the newest one."""
    found = []
    with os.scandir(directory) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                state = entry.stat(follow_symlinks=False)
                if _ENTRY.fullmatch(entry.name):
                    found.append((entry.name == newest, state.st_mtime_ns, state.st_size, entry.path))
                elif entry.name.startswith(_TEMPORARY) and state.st_mtime < time.time() - _PATIENCE:
                    os.unlink(entry.path)  # noqa: PTH108
    count = size = 0
    for is_newest, _, bytes_, path in sorted(found, reverse=True):
        count, size = count + 1, size + bytes_
        if not is_newest and (count > MOST_ENTRIES or size > MOST_BYTES):
            with contextlib.suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - as above


#: The variable that names another directory.
VARIABLE = "VALIDATION_GEN_CACHE_DIR"


def cache_directory(given: str, environ: Mapping[str, str] | None = None) -> Path | None:
    """Returns the directory for results: below the given directory, else below the user's cache directory.

    No other program uses it, since old files in it are removed. `None` without a home.
    """
    if given:
        return Path(os.path.expanduser(given), "validation-gen")  # noqa: PTH111 - unlike `Path.expanduser`, it never raises
    return user_directory("XDG_CACHE_HOME", ".cache", os.environ if environ is None else environ)


class UnusableError(Exception):
    """The bytes are no cache entry."""


def encode(answers: Mapping[Question, str], result: GenerateResult) -> bytes:
    """Serialises a result with its dependencies."""
    record = {
        "answers": [[kind, argument, answer] for (kind, argument), answer in answers.items()],
        "outputs": {name: dict(files) for name, files in result.outputs.items()},
        "findings": [codec.encode(each) for each in result.findings],
        "numbers": [result.packages, result.types, result.rules],
        "names": result.names,
        "left out": result.left_out,
        "bundled": result.bundled,
        "unjudged": result.unjudged,
        "dropped": result.dropped,
    }
    text = json.dumps(record, separators=(",", ":")).encode()
    return _checksum(text) + b"\n" + text


def decode(content: bytes) -> tuple[dict[Question, str], GenerateResult]:
    """Decodes the bytes of `encode`.

    Raises:
        UnusableError: the bytes are something else, or have been cut or changed.
    """
    checksum, _, text = content.partition(b"\n")
    if checksum != _checksum(text):
        raise UnusableError
    try:
        record = json.loads(text)
        answers = {(kind, argument): str(answer) for kind, argument, answer in record["answers"]}
        if not all(is_question(*question) for question in answers):
            raise UnusableError
        outputs = {str(emitter): _files(files) for emitter, files in record["outputs"].items()}
        findings = tuple(codec.decode(Diagnostic, each) for each in record["findings"])
        packages, types, rules = map(int, record["numbers"])
        names = tuple(map(str, record["names"]))
        left_out = tuple(map(str, record["left out"]))
        bundled = str(record["bundled"])
        unjudged = str(record["unjudged"])
        dropped = tuple(map(str, record["dropped"]))
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError):
        raise UnusableError from None
    return answers, GenerateResult(
        outputs, findings, packages, types, rules, names, left_out, bundled, unjudged, dropped
    )


def _checksum(text: bytes) -> bytes:
    return blake2b(text, digest_size=20).hexdigest().encode()


def _files(record: Mapping[str, object]) -> dict[str, str]:
    """Returns texts by path, after validation."""
    files = {name: text for name, text in record.items() if isinstance(text, str) and not problem_with(name)}
    if len(files) != len(record):
        raise UnusableError
    return files


_OURS = os.path.dirname(validation_gen.__file__)  # noqa: PTH120 - pathlib is slow to import
#: Suffixes of files that are run or read. The others are for compilers and type checkers.
_SUFFIXES = (".py", ".so", ".pyd", ".lark", ".go", ".j2", ".txt", ".md", ".json")
#: Dependencies that affect the output, by the names of their metadata in site-packages.
_METADATA = (
    *("black-", "click-", "jinja2-", "lark-", "pyyaml-", "rich-", "tomli-", "tree_sitter-", "tree_sitter_go-"),
    *("typer-", "validation_gen-"),
)


@functools.cache
def fingerprint() -> str:
    """Returns a digest of the program's own files and of the versions around it.

    Raises:
        OSError: they are missing, as in an archive, or are being replaced.
    """
    files = sorted(_source_files())
    if not files:
        raise FileNotFoundError(_OURS)
    digest = blake2b(digest_size=20)
    for text in (sys.version, *sorted(_versions())):
        digest.update(text.encode(errors="surrogateescape") + b"\0")
    for path in files:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slower, and these are many
            content = file.read()
        digest.update(f"{path} {len(content)}\0".encode(errors="surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def _source_files() -> Iterator[str]:
    """Yields the files below both directories."""
    for place in (_OURS, templates()):
        for directory, _, names in os.walk(place):
            yield from (os.path.join(directory, name) for name in names if name.endswith(_SUFFIXES))  # noqa: PTH118


def _versions() -> Iterator[str]:
    """Yields the versions of packages, from the names of their metadata, which is faster than the official API."""
    for place in sys.path:
        try:
            names = os.listdir(place or ".")  # noqa: PTH208 - as above
        except OSError:
            continue  # such as an archive
        yield from (name for name in names if name.endswith("-info") and name.lower().startswith(_METADATA))


def load_or_run(
    settings: Settings, directory: Path, work: Callable[[], GenerateResult], *, wanted: Sequence[object] = ()
) -> GenerateResult:
    """Returns the result of `work` for these settings, from the cache if no input has changed.

    `work` must depend only on the settings, the `wanted` outputs (as JSON), the current directory, and the reads that
    `recorded` notes.
    """
    try:
        key = _key(settings, wanted)
    except OSError:  # the current directory is gone, or the program is being replaced
        return work()
    kept = load(directory, key)
    if kept is not None:
        try:
            answers, result = decode(kept)
        except UnusableError:
            pass
        else:
            if still_holds(answers):
                replay_queries(answers)
                return replace(result, kept=True)
    with record() as notes:
        result = work()
    if notes.consistent:
        save(directory, key, encode(notes.answers, result))
    return result


def _key(settings: Settings, wanted: Sequence[object]) -> str:
    """Returns the key of a run: its configuration, directory and program, which are known before reading."""
    asked = [fingerprint(), os.getcwd(), asdict(settings), wanted]  # noqa: PTH109 - a text is wanted
    return blake2b(json.dumps(asked).encode(), digest_size=20).hexdigest()
