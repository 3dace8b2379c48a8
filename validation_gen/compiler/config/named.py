"""Names in a configuration that need trust: code, programs, peers, and output paths.

Nothing is imported, started or contacted here, and nothing is written. Files are read for their digests.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validation_gen.compiler.config.keys import Config, Setting
from validation_gen.diagnostics import Span
from validation_gen.files import reading
from validation_gen.files.reading import is_below

#: Keys whose paths are written to. All other paths are read.
WRITTEN = frozenset(
    {"output-dir", "patch-schemas", "cache-dir", "cases", "resume", "spill", "report", "history", "metrics-file"}
    | {"data", "kubeconfig", "audit-log"}
)
#: Parameters that choose which webhook is trusted.
BELIEVED = ("ca_file", "server_name")
#: Key of the scheduler: trusting one means running the code that it sends.
CLUSTER = "cluster"
#: Keys of commands whose values may be URLs, which contact a server.
SOURCES = {
    "apiserver": ("etcd",),
    "compare": ("filename", "old"),
    "coverage": ("tests",),
    "validate": ("filename", "old"),
}
_CUSTOM, _HANDWRITTEN = "custom-validations", "handwritten"


@dataclass(frozen=True, slots=True)
class Named:
    """Code or a peer, as the configuration names it.

    Attributes:
        key: the key that names it.
        text: its value.
        files: the files that are known to be run for it, by absolute paths, without their imports.
        asked: True for a peer that is contacted instead.
    """

    key: str
    text: str
    span: Span
    files: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class OutputPath:
    """A place to write that is outside of the project, with links resolved."""

    key: str
    span: Span
    path: str


def outside(config: Config) -> list[OutputPath]:
    """Returns all output paths outside of the project."""
    found = []
    for section, settings in _tables(config):
        for name, setting in settings.items():
            key = f"{section}.{name}" if section else name
            if name in WRITTEN and (path := find_outside(config, setting.value)):
                found.append(OutputPath(key, setting.span, path))
    return found


def find_outside(config: Config, place: str) -> str:
    """Returns the real path of an output outside of the configuration's project, else `""`.

    A project is the git work tree around the configuration, or its directory. Its `.git` directory counts as outside. A
    URL is always outside.
    """
    if config.file is None:
        return ""
    if "://" in place:
        return place
    path = os.path.realpath(os.path.expanduser(place))  # noqa: PTH111 - it never raises
    return "" if is_inside(path, find_project(find_directory(config))) else path


def is_inside(path: str, root: str) -> bool:
    """Returns whether a path is in a project. Both have no links in them."""
    if path == root:
        return True
    return is_below(path, root) and ".git" not in Path(path[len(root) :].lower()).parts


def find_project(directory: str) -> str:
    """Returns the git work tree around a directory, or the directory itself without one.

    A work tree that contains the user's home directory is no project.
    """
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    place = directory
    while place != os.path.dirname(place):  # noqa: PTH120
        if home == place or is_below(home, place):
            break
        if os.path.lexists(os.path.join(place, ".git")):  # noqa: PTH118
            return place
        place = os.path.dirname(place)  # noqa: PTH120
    return directory


def find_directory(config: Config) -> str:
    """Returns the directory of a configuration, with links resolved.

    A link that is the configuration itself is not followed.

    Its names belong to the directory in which it was found, whatever its origin.
    """
    assert config.file is not None, "there is no configuration without a file"
    return os.path.realpath(config.file.parent)


def identity(config: Config) -> str:
    """Returns the one name of a configuration, however its path is spelt."""
    assert config.file is not None, "there is no configuration without a file"
    return os.path.join(find_directory(config), config.file.name)  # noqa: PTH118 - a text is wanted


def digest(path: str) -> str:
    """Returns the SHA-256 of a regular file, `""` of others and unreadable ones."""
    try:
        return hashlib.sha256(reading.read(path, reading.MOST_OF_DATA)).hexdigest()
    except (OSError, ValueError):
        return ""


def code(config: Config, here: str) -> list[Named]:
    """Returns all code that would be run and all peers, for a run in the directory `here`."""
    return list(_code(config, here))


def _code(config: Config, here: str) -> Iterator[Named]:
    for section, settings in _tables(config):
        if _CUSTOM in settings:
            setting = settings[_CUSTOM]
            key = f"{section}.{_CUSTOM}" if section else _CUSTOM
            yield from (Named(key, file, setting.span, (_absolute(file),)) for file in setting.value)
    if _HANDWRITTEN in config.settings.get("compare", {}):
        yield spec(config, config.settings["compare"][_HANDWRITTEN], here)
    if (served := config.settings.get("webhook-serve", {}).get("with")) is not None:
        yield from (Named("webhook-serve.with", file, served.span, _in_packages(file)) for file in served.value)
    if (side := config.settings.get("webhook-serve", {}).get(_HANDWRITTEN)) is not None:
        yield spec(config, side, here, "webhook-serve")
    for section, settings in _tables(config):
        if (cluster := settings.get(CLUSTER)) is not None and not str(cluster.value).startswith("local"):
            yield Named(f"{section}.{CLUSTER}", str(cluster.value), cluster.span, asked=True)
    for section, names in SOURCES.items():
        for name in names:
            if (sources := config.settings.get(section, {}).get(name)) is not None:
                key = f"{section}.{name}"
                yield from (Named(key, each, sources.span, asked=True) for each in urls(sources.value))
    for type, function in config.handwritten.items():
        files = _module(function.partition(":")[0], config, here)
        yield Named(f'{_HANDWRITTEN}."{type}"', f"python:{function}", config.spans[type], files)


def urls(value: Any) -> list[str]:
    """Returns the URLs of a setting."""
    return [each for each in map(str, value if isinstance(value, list) else [value]) if "://" in each]


def spec(config: Config, setting: Setting, here: str, section: str = "compare") -> Named:
    """Returns the code of `compare.handwritten`, or of `webhook-serve.handwritten`, which has only functions."""
    text, key = str(setting.value), f"{section}.{_HANDWRITTEN}"
    word, _, rest = text.partition(":")
    if section == "webhook-serve":
        word, rest = "python", text.removeprefix("python:")
    if word == "webhook":
        return Named(key, text, setting.span, asked=True)
    if word == "exec":
        try:
            words = shlex.split(rest)
        except ValueError:
            words = []
        paths = [os.path.join(here, each) for each in words]  # noqa: PTH118 - texts
        return Named(key, text, setting.span, tuple(_absolute(path) for path in paths if _is_file(path)))
    place = rest.rpartition(":")[0]
    is_file = place.endswith(".py") or "/" in place
    return Named(key, text, setting.span, _in_packages(place) if is_file else _module(place, config, here))


def _tables(config: Config) -> Iterator[tuple[str, dict[str, Setting]]]:
    yield "", dict(config.common)
    for section, settings in config.settings.items():
        yield section, dict(settings)


def _module(name: str, config: Config, here: str) -> tuple[str, ...]:
    """Returns the files in the project that are run when a module is imported."""
    found: list[str] = []
    for root in dict.fromkeys([find_directory(config), os.path.realpath(here)]):
        place = root
        for part in name.split("."):
            place = os.path.join(place, part)  # noqa: PTH118 - texts
            found += [path for path in (f"{place}.py", os.path.join(place, "__init__.py")) if _is_file(path)]  # noqa: PTH118
    return tuple(map(_absolute, found))


def _in_packages(file: str) -> tuple[str, ...]:
    """Returns a file, and the packages that are imported before it."""
    found = [_absolute(file)]
    directory = os.path.dirname(_absolute(file))  # noqa: PTH120
    while _is_file(package := os.path.join(directory, "__init__.py")):  # noqa: PTH118
        found.append(package)
        directory = os.path.dirname(directory)  # noqa: PTH120
    return tuple(dict.fromkeys(found))


def _absolute(file: str) -> str:
    """Returns a file by a path without links before its name."""
    directory, name = os.path.split(os.path.abspath(file))  # noqa: PTH100 - texts
    return os.path.join(os.path.realpath(directory), name)  # noqa: PTH118


def _is_file(path: str) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - unlike Path.is_file, it never raises
