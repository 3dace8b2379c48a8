"""Values for shell completion where a command does not list them itself: for `--target` and for `explain`."""

from __future__ import annotations

from validation_gen.diagnostics import CODES
from validation_gen.rules.releases import RELEASES

_PREFIX = "k8s:"


def releases(incomplete: str) -> list[str]:
    """Returns the releases of Kubernetes that can be targeted."""
    return [release for release in RELEASES if release.startswith(incomplete)]


def explained(incomplete: str) -> list[str]:
    """Returns the tags, directives, codes and tables that `explain` knows. There are too many markers to list them.

    Codes are completed in upper or lower case.
    """
    typed = len(incomplete)
    codes = [incomplete + code[typed:] for code in CODES if code.startswith(incomplete.upper())]
    if incomplete and codes:
        return codes
    from validation_gen.rules.directives import DIRECTIVES  # noqa: PLC0415 - only a shell needs the catalogue here
    from validation_gen.rules.registry import catalogue  # noqa: PLC0415

    prefix = next((each for each in (f"+{_PREFIX}", _PREFIX, "+") if incomplete.startswith(each)), "")
    names = [prefix + name.removeprefix(_PREFIX) for name in (*catalogue(), *DIRECTIVES)]
    return [name for name in [*names, *([] if prefix else [*CODES, "schema-mapping"])] if name.startswith(incomplete)]
