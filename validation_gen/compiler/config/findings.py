"""Texts of findings about a configuration: a location, a reason, and a correction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.words import nearest


def report(diagnostics: Diagnostics, message: str, span: Span, help: str) -> None:
    """Adds an error about a configuration."""
    diagnostics.error("VG906", message, span, help)


def instead(name: str, known: Iterable[str]) -> str:
    """Lists similar known names, as a sentence; all of them if none is near."""
    names = list(dict.fromkeys(known))
    if name in ("alpha", "beta") and "level" in names:
        return f'write level = "{name}", or level = "standard" to enforce neither alpha nor beta rules'
    near = nearest(name, names)
    if near:
        return f"did you mean {near[0]}?"
    return f"write {'one of ' if len(names) > 1 else ''}{', '.join(names)}" if names else "remove it"


def name_kind(value: Any) -> str:
    """Names the kind of a value in the words of TOML."""
    if isinstance(value, bool):
        return "a boolean"
    for type, name in (
        (str, "a string"),
        (int, "an integer"),
        (float, "a float"),
        (list, "an array"),
        (dict, "a table"),
    ):
        if isinstance(value, type):
            return name
    return "a date or a time"
