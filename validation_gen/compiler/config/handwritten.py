"""The table `handwritten`: the functions that validated a type before its tags did.

    [tool.validation-gen.handwritten]
    "robots/v1.Robot" = "fleet.validation:validate_robot"

Nothing is imported while it is read.
"""

from __future__ import annotations

import re
from typing import Any

from validation_gen.compiler.config.findings import report
from validation_gen.compiler.config.places import Path, Places
from validation_gen.diagnostics import Diagnostics, Span

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_FUNCTION = re.compile(f"{_DOTTED}:{_DOTTED}")


def read_handwritten(
    table: Any, at: Path, places: Places, diagnostics: Diagnostics
) -> tuple[dict[str, str], dict[str, Span]]:
    """The function of each type as `module:function`, and where each type is named."""
    help = 'write "robots/v1.Robot" = "fleet.validation:validate_robot"'
    if not isinstance(table, dict):
        report(diagnostics, "handwritten is no table", places.key(at), help)
        return {}, {}
    functions: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for name, function in table.items():
        span = places.key((*at, name))
        if isinstance(function, str) and _FUNCTION.fullmatch(function):
            functions[name] = function
            spans[name] = span
        else:
            report(diagnostics, f"the handwritten validator of {name} is no MODULE:FUNCTION", span, help)
    return functions, spans
