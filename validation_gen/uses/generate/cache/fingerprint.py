"""What results depend on besides the sources: this program to the last byte, what it needs of others, and Python."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator

import validation_gen
from validation_gen.emit.templates import place as templates
from validation_gen.files.digests import blake2b

_OURS = os.path.dirname(validation_gen.__file__)  # noqa: PTH120 - pathlib is slow to import
#: Whatever runs or is read. The rest is for compilers and type checkers.
_SUFFIXES = (".py", ".so", ".pyd", ".lark", ".go", ".j2", ".txt")
#: Those of our dependencies that have a part in what is generated or said, as their metadata is named in site-packages.
_METADATA = (
    *("black-", "click-", "jinja2-", "lark-", "pyyaml-", "rich-", "tomli-", "tree_sitter-", "tree_sitter_go-"),
    *("typer-", "validation_gen-"),
)
#: So little that the allocator keeps it at hand: four times as much takes four times as long for small files.
_AT_ONCE = 2**16


@functools.cache
def fingerprint() -> str:
    """A digest of the program's own files and of the versions around it, so that no change of them goes unnoticed.

    Raises:
        OSError: they are not there, as in an archive, or are being replaced.
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
    """What one of many files holds: objects for paths and for open files would cost as much again."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        parts = []
        while part := os.read(handle, _AT_ONCE):
            parts.append(part)
            if len(part) < _AT_ONCE:  # nothing comes behind the end of an ordinary file
                break
        return b"".join(parts)
    finally:
        os.close(handle)


def _files() -> Iterator[str]:
    """The files below both places. `os.walk` sorts more than is asked for, and takes twice as long."""
    places = [_OURS, templates()]
    for place in places:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIXES):
                    yield entry.path
                elif entry.is_dir(follow_symlinks=False):
                    places.append(entry.path)


def _versions() -> Iterator[str]:
    """The versions of packages, from the names of their metadata: asking for them properly takes longer."""
    for place in sys.path:
        try:
            names = os.listdir(place or ".")  # noqa: PTH208 - as above
        except OSError:
            continue  # such as an archive
        yield from (name for name in names if name.endswith("-info") and name.lower().startswith(_METADATA))
