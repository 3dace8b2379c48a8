"""Fingerprint of all inputs besides the sources: this program's files, its dependencies, and Python."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator

import validation_gen
from validation_gen.emit.templates import place as templates
from validation_gen.files.digests import blake2b

_OURS = os.path.dirname(validation_gen.__file__)  # noqa: PTH120 - pathlib is slow to import
#: Suffixes of files that are run or read. The others are for compilers and type checkers.
_SUFFIXES = (".py", ".so", ".pyd", ".lark", ".go", ".j2", ".txt", ".md", ".json")
#: Dependencies that affect the output, by the names of their metadata in site-packages.
_METADATA = (
    *("black-", "click-", "jinja2-", "lark-", "pyyaml-", "rich-", "tomli-", "tree_sitter-", "tree_sitter_go-"),
    *("typer-", "validation_gen-"),
)
#: Size of a read: the allocator reuses small blocks, and a size four times as large takes four times as long for small
#: files.
_AT_ONCE = 2**16


@functools.cache
def fingerprint() -> str:
    """Returns a digest of the program's own files and of the versions around it.

    Raises:
        OSError: they are missing, as in an archive, or are being replaced.
    """
    files = sorted(_files())
    if not files:
        raise FileNotFoundError(_OURS)
    digest = blake2b(digest_size=20)
    for text in (sys.version, *sorted(_versions())):
        digest.update(text.encode(errors="surrogateescape") + b"\0")
    for path in files:
        content = _content(path)
        digest.update(f"{path} {len(content)}\0".encode(errors="surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def _content(path: str) -> bytes:
    """Reads one of many files without objects for paths and files, which would double the cost."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        parts = []
        while part := os.read(handle, _AT_ONCE):
            parts.append(part)
            if len(part) < _AT_ONCE:  # a short read is the end of an ordinary file
                break
        return b"".join(parts)
    finally:
        os.close(handle)


def _files() -> Iterator[str]:
    """Yields the files below both directories. `os.walk` sorts too much, and takes twice as long."""
    places = [_OURS, templates()]
    for place in places:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIXES):
                    yield entry.path
                elif entry.is_dir(follow_symlinks=False):
                    places.append(entry.path)


def _versions() -> Iterator[str]:
    """Yields the versions of packages, from the names of their metadata, which is faster than the official API."""
    for place in sys.path:
        try:
            names = os.listdir(place or ".")  # noqa: PTH208 - as above
        except OSError:
            continue  # such as an archive
        yield from (name for name in names if name.endswith("-info") and name.lower().startswith(_METADATA))
