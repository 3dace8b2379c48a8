"""Trusted projects of a user: the list, and the check of a configuration against it.

The list is a file of the user's own. It is used only if no other user can have written it, and it is data: nothing in
it is ever run. A project is identified by the path of its configuration, and trusted as long as that and the files
which it names are unchanged.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.compiler.config import named
from validation_gen.compiler.config.keys import Config
from validation_gen.files.reading import ForeignError, foreign_directory, read_own, user_directory

_MOST = 4 << 20  # bytes: no list is longer
_EDITION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """Trusted state: digests of files by path, with the configuration, and output paths outside of the project."""

    files: Mapping[str, str]
    places: tuple[str, ...] = ()


@dataclass(slots=True)
class Store:
    """The list. `problem` is the reason why the file is not used, in which case there are no projects."""

    file: Path | None
    projects: dict[str, Record] = field(default_factory=dict)
    problem: str = ""


def store_file() -> Path | None:
    """Returns the path of the list: in the user's directory for configurations. `None` without a home."""
    base = user_directory("XDG_CONFIG_HOME", ".config", os.environ)
    return base and base / "trust.json"


def read_store(file: Path | None) -> Store:
    """Returns the list of a file. Without the file nothing is trusted."""
    if file is None:
        return Store(None)
    try:
        content = read_own(file, _MOST + 1)
    except FileNotFoundError:
        return Store(file)
    except ForeignError as error:
        return Store(file, problem=str(error.strerror))
    except (OSError, ValueError) as error:
        return Store(file, problem=f"{file} cannot be read: {getattr(error, 'strerror', None) or error}")
    try:
        return Store(file, _projects(json.loads(content)))
    except (ValueError, RecursionError, TypeError, AttributeError, KeyError):
        return Store(file, problem=f"{file} holds something else")


def write_store(store: Store) -> None:
    """Writes the list atomically, readable for its owner only.

    Raises:
        OSError: it cannot be written, or others could change it.
    """
    assert store.file is not None, "without a place nothing is stored"
    directory = store.file.parent
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if problem := foreign_directory(directory):
        raise ForeignError(problem)
    projects = {
        name: {"files": dict(sorted(record.files.items())), "places": sorted(record.places)}
        for name, record in sorted(store.projects.items())
    }
    text = json.dumps({"version": _EDITION, "projects": projects}, indent=2) + "\n"
    handle, temporary = tempfile.mkstemp(dir=directory, prefix=f".{store.file.name}.")  # which only its owner may read
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as opened:
            opened.write(text)
        Path(temporary).replace(store.file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def build_record(config: Config, here: str) -> Record:
    """Returns the record of the current state."""
    files = [named.identity(config), *(file for each in named.code(config, here) for file in each.files)]
    places = tuple(sorted({place.path for place in named.outside(config)}))
    return Record({file: named.digest(file) for file in files}, places)


def find_distrust(config: Config, here: str, store: Store) -> str:
    """Returns the reason why a configuration is not trusted, for a run in the directory `here`; `""` if it is.

    The reason is a clause that begins with `as`.
    """
    if store.problem:
        return f"as the list of trusted projects cannot be believed ({store.problem})"
    known = store.projects.get(named.identity(config))
    if known is None:
        return "as only the project's configuration names it"
    now = build_record(config, here)
    changed = [path for path, found in now.files.items() if not found or known.files.get(path) != found]
    changed += [place for place in now.places if place not in known.places]
    if changed:
        names = ", ".join(_shorten(path, config) for path in changed[:3])
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        return f"as {names}{more} changed after the project was trusted"
    return ""


def _projects(document: Any) -> dict[str, Record]:
    if document["version"] != _EDITION:
        raise ValueError("another edition")
    found = {}
    for name, entry in document["projects"].items():
        files, places = dict(entry["files"]), list(entry["places"])
        if not all(isinstance(each, str) for each in (*files, *files.values(), *places)):
            raise ValueError("no texts")
        found[name] = Record(files, tuple(places))
    return found


def _shorten(path: str, config: Config) -> str:
    start = os.path.join(named.find_directory(config), "")  # noqa: PTH118 - a text
    return path.removeprefix(start)
