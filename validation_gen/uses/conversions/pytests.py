"""Writes a test that checks conversions as the command does."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from validation_gen.build.settings import Settings
from validation_gen.emit.output import MARKER
from validation_gen.emit.templates import render_template
from validation_gen.emit.text import literal
from validation_gen.rules.releases import NEWEST


def written(settings: Settings, conversions: str, kinds: Sequence[str], cases: int, seed: int, file: str) -> str:
    """Returns the text of a test at a path. It finds its inputs relative to that, for any working directory."""
    here = os.path.dirname(file) or "."  # noqa: PTH120 - it is not opened
    arguments = list(_settings(settings, here))
    if kinds:
        arguments.append(("kinds", _listed([literal(kind) for kind in kinds])))
    arguments.append(("cases", [str(cases)]))
    if seed:
        arguments.append(("seed", [str(seed)]))
    return render_template(
        "conversions/test.py.j2",
        marker=MARKER,
        conversions=_path(conversions, here),
        sources=[_path(path, here) for path in (*settings.paths, *settings.definitions)],
        settings=arguments,
    )


def _settings(settings: Settings, here: str) -> Iterator[tuple[str, list[str]]]:
    """Yields the non-default settings of the run as arguments: a name, and the lines of a value."""
    if settings.modules:
        modules = sorted(settings.modules.items())
        yield "modules", ["{", *(f"    {literal(path)}: {_path(d, here)}," for path, d in modules), "}"]
    if settings.custom:
        yield "custom", _listed([_path(file, here) for file in settings.custom])
    if settings.readonly:
        yield "readonly", _listed([literal(path) for path in settings.readonly])
    if settings.require_directive:
        yield "require_directive", ["True"]
    if settings.known_tags:
        yield "known_tags", ["True"]
    if settings.target != NEWEST:
        yield "target", [literal(settings.target)]


def _listed(values: Sequence[str]) -> list[str]:
    return ["[", *(f"    {value}," for value in values), "]"]


def _path(path: str, here: str) -> str:
    recursive = path.endswith("/...")
    try:
        relative = os.path.relpath(path.removesuffix("/..."), here)
    except ValueError:  # another drive of Windows
        relative = os.path.abspath(path.removesuffix("/..."))  # noqa: PTH100
    relative = relative.replace(os.sep, "/")
    return f"HERE / {literal(f'{relative}/...' if recursive else relative)}"
