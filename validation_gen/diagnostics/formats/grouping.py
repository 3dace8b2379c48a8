"""Groups findings with one cause: a reason not to convert is reported once, with its places.

This is for people. Programs get every finding at its own place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from validation_gen.diagnostics import Diagnostic

#: Number of further places that are named; the others are only counted.
_NAMED = 2
_WHY = ": "


def grouped(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Returns the findings in their order, one for each cause.

    The first of each cause has the notes of the others, and last their places.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        groups.setdefault(_cause(diagnostic) or number, []).append(diagnostic)
    return [_with_places(first, others) if others else first for first, *others in groups.values()]


def _cause(diagnostic: Diagnostic) -> object:
    """Returns the common cause of findings, `None` for those without one."""
    if diagnostic.code == "VG107" and diagnostic.help:
        return diagnostic.severity, diagnostic.help, diagnostic.message.rpartition(_WHY)[2]
    return None


def _with_places(first: Diagnostic, others: Sequence[Diagnostic]) -> Diagnostic:
    places = list(dict.fromkeys(str(other.span) for other in others))
    named = ", ".join(places[:_NAMED])
    more = len(places) - _NAMED
    told = f"for the same reason at {named}" + (f", and {more} more" if more > 0 else "")
    notes = [note for each in (first, *others) for note in each.notes]
    return replace(first, notes=(*notes, (told, None)))
