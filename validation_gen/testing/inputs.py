"""Definitions and objects that a server begins with, and snapshots of its objects."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.definitions import KIND as DEFINITION
from validation_gen.apiserver.writes import decode_object, encode_object
from validation_gen.files.reading import read as read_file
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.sources.languages import find_language
from validation_gen.testing.client import Client, list_resources

if TYPE_CHECKING:
    from validation_gen.diagnostics import Diagnostics

#: A path of manifests or of sources, or an object.
Source = str | os.PathLike[str] | Mapping[str, Any]
#: Directories that no reader of sources enters, besides hidden ones.
_SKIPPED = ("vendor", "node_modules", "__pycache__")
_MANIFESTS = (".yaml", ".yml", ".json")


class InputError(ValueError):
    """Definitions or objects that cannot be read; the text has the findings."""


def read_definitions(sources: Iterable[Source] | Source, base: Path | None = None) -> list[dict[str, Any]]:
    """Returns definitions: given as objects, read from files, or generated from Go or Python types.

    Args:
        sources: paths and definitions.
        base: the directory of relative paths, by default the working directory.

    Raises:
        InputError: one cannot be read, or there is none at a path.
    """
    return _read_each(sources, "crds", base, _read_definitions)


def _read_definitions(path: str, fingerprint: str) -> list[dict[str, Any]]:
    found = _definitions_at(path, fingerprint)
    if not found:
        raise InputError(f"crds: no definition, and no type of an API, is in {path}")
    return found


def read_objects(sources: Iterable[Source] | Source, base: Path | None = None) -> list[dict[str, Any]]:
    """Returns objects: given ones, and those in files.

    Args:
        sources: paths and objects.
        base: the directory of relative paths, by default the working directory.

    Raises:
        InputError: one cannot be read.
    """
    return _read_each(sources, "objects", base, _objects_at)


def _read_each(
    sources: Iterable[Source] | Source, name: str, base: Path | None, read: Callable[[str, str], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Returns given objects, and those that `read` finds at paths."""
    is_one = isinstance(sources, (str, os.PathLike, Mapping)) or not isinstance(sources, Iterable)
    several: Any = (sources,) if is_one else sources
    found: list[dict[str, Any]] = []
    for source in several:
        if isinstance(source, Mapping):
            found.append(dict(source))
        elif isinstance(source, (str, os.PathLike)):
            path = resolve(source, base)
            found += read(path, _fingerprint(path))
        else:
            raise InputError(f"{name}: {source!r:.80} is no path and no object")
    return found


def resolve(source: str | os.PathLike[str], base: Path | None) -> str:
    """Returns the path of an input.

    Raises:
        InputError: the path does not exist.
    """
    path = Path(base or Path.cwd(), source)
    if not path.exists():
        raise InputError(f"there is no file or directory {path}")
    return str(path)


def _fingerprint(path: str) -> str:
    """Returns a hash of the content at a path."""
    total = hashlib.sha256()
    for file in _files(Path(path)):
        total.update(f"{file}\0".encode())
        total.update(read_file(file))
    return total.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    for directory, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in _SKIPPED)
        yield from (Path(directory, name) for name in sorted(names) if name.endswith(_MANIFESTS) or find_language(name))


@functools.lru_cache(maxsize=256)
def _definitions_at(path: str, fingerprint: str) -> list[dict[str, Any]]:
    if not any(find_language(file.name) for file in _files(Path(path))):
        return [obj for obj in _objects_at(path, fingerprint) if is_definition(obj)]
    from validation_gen.commands.apiserver.kinds import find_definitions  # noqa: PLC0415 - slow, and often not needed
    from validation_gen.compiler.settings import Settings  # noqa: PLC0415
    from validation_gen.diagnostics import Diagnostics  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = find_definitions([path], Settings(paths=()), diagnostics)
    _refuse(diagnostics)
    return found


@functools.lru_cache(maxsize=256)
def _objects_at(path: str, fingerprint: str) -> list[dict[str, Any]]:  # noqa: ARG001 - a key of the cache
    from validation_gen.diagnostics import Diagnostics  # noqa: PLC0415 - for files alone
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = [manifest.obj for manifest in read_manifests([path], diagnostics)]
    _refuse(diagnostics)
    return found


def _refuse(diagnostics: Diagnostics) -> None:
    if diagnostics.has_errors:
        from validation_gen.diagnostics.formats import render  # noqa: PLC0415 - for failures alone

        raise InputError(render(diagnostics.sorted(), color=False).rstrip())


# --- snapshots --------------------------------------------------------------------------------------------------------


async def restore(app: Application, client: Client, obj: Mapping[str, Any]) -> None:
    """Stores an object of a snapshot as it was: with its uid, its times, its status and its managers.

    Raises:
        LookupError: the server has no such kind.
    """
    key = client.read_key(obj)
    stored = await key.resource.run(key.resource.to_storage, {**obj, "metadata": dict(obj["metadata"])})
    entry = await app.store.get(key.stored)
    await app.store.put(key.stored, encode_object(stored), entry.revision if entry else 0)


def is_of_snapshot(obj: Mapping[str, Any]) -> bool:
    """Returns whether an object has been in a server before."""
    return bool((obj.get("metadata") or {}).get("uid"))


async def dump(app: Application) -> list[dict[str, Any]]:
    """Returns all objects as they are stored, definitions first."""
    found: list[dict[str, Any]] = []
    for resource in list_resources(app):
        entries, _ = await app.store.scan(resource.prefix)
        found += map(decode_object, entries)
    return sorted(found, key=lambda obj: obj["kind"] != DEFINITION)
