"""Names of validation options in a request that no rule knows."""

from __future__ import annotations

from collections.abc import Iterable, Set

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.runtime.words import nearest


def unknown_options(named: Iterable[str], known: Set[str]) -> list[Diagnostic]:
    """Returns warnings about configured options that no rule depends on."""
    found = []
    for name in sorted(set(named) - known):
        near = nearest(name, known)
        help = f"the options here are {', '.join(sorted(known))}" if known else "no rule here depends on an option"
        if near:
            help = f"did you mean {near[0]}?"
        message = f"no rule depends on the option {name}"
        found.append(Diagnostic("VG548", Severity.WARNING, message, Span("--option"), help))
    return found
