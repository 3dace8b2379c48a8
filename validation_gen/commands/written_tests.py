"""Settings of a run in the tests that commands write: as Python source, and as the tests pass them on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from validation_gen.compiler.settings import Settings
from validation_gen.emit.text import literal
from validation_gen.rules.releases import NEWEST


def render_settings(settings: Settings, here: str) -> list[tuple[str, list[str]]]:
    """Returns the non-default settings of a run as arguments of `read_settings`: a name, and the lines of a value.

    `here` is the directory of the tests.
    """
    found: list[tuple[str, list[str]]] = []
    if settings.modules:
        modules = sorted(settings.modules.items())
        lines = [f"    {literal(path)}: {render_path(directory, here)}," for path, directory in modules]
        found.append(("modules", ["{", *lines, "}"]))
    if settings.custom:
        found.append(("custom", render_list(render_path(file, here) for file in settings.custom)))
    if settings.readonly:
        found.append(("readonly", render_list(map(literal, settings.readonly))))
    if settings.require_directive:
        found.append(("require_directive", ["True"]))
    if settings.known_tags:
        found.append(("known_tags", ["True"]))
    if settings.target != NEWEST:
        found.append(("target", [literal(settings.target)]))
    return found


def render_list(values: Iterable[str]) -> list[str]:
    """Returns the lines of a list with these values."""
    return ["[", *(f"    {value}," for value in values), "]"]


def render_path(path: str, here: str) -> str:
    """Returns a path relative to the tests, independent of the working directory."""
    recursive = path.endswith("/...")
    place = path.removesuffix("/...")
    try:
        relative = os.path.relpath(place, here)
    except ValueError:  # another drive of Windows
        relative = os.path.abspath(place)  # noqa: PTH100
    relative = relative.replace(os.sep, "/")
    return f"HERE / {literal(f'{relative}/...' if recursive else relative)}"


def read_settings(
    sources: Sequence[Path | str],
    *,
    modules: Mapping[str, Path] | None = None,
    custom: Sequence[Path] = (),
    readonly: Sequence[str] = (),
    require_directive: bool = False,
    known_tags: bool = False,
    target: str = NEWEST,
) -> Settings:
    """Returns the settings of a test.

    Args:
        sources: locations of the tagged types.
        modules: directories of other Go modules or Python packages by import path.
        custom: Python files with the functions of `+k8s:customValidation`.
        readonly: import paths whose types are used and have no validators.
        require_directive: True to include only packages with a directive.
        known_tags: True to read the tags inside of Kubernetes' own types.
        target: the Kubernetes release to agree with.
    """
    return Settings(
        tuple(map(str, sources)),
        modules={path: str(directory) for path, directory in (modules or {}).items()},
        readonly=tuple(readonly),
        require_directive=require_directive,
        known_tags=known_tags,
        custom=tuple(map(str, custom)),
        target=target,
    )
