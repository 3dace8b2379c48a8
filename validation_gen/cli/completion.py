"""What a shell is offered for an argument or the value of an option, where the command itself does not list it.

It is asked while somebody waits at a prompt, so it imports as little as there is to know the names.
"""

from __future__ import annotations

from validation_gen.diagnostics import CODES
from validation_gen.rules.releases import RELEASES

_PREFIX = "k8s:"


def releases(incomplete: str) -> list[str]:
    """The releases of Kubernetes that can be targeted."""
    return [release for release in RELEASES if release.startswith(incomplete)]


def explained(incomplete: str) -> list[str]:
    """The tags, directives, codes and tables that `explain` knows; markers are too many to choose from."""
    written = len(incomplete)  # in whatever case
    codes = [incomplete + code[written:] for code in CODES if code.startswith(incomplete.upper())]
    if incomplete and codes:
        return codes
    from validation_gen.rules.directives import DIRECTIVES  # noqa: PLC0415 - codes do without the catalogue
    from validation_gen.rules.registry import catalogue  # noqa: PLC0415

    prefix = next((each for each in (f"+{_PREFIX}", _PREFIX, "+") if incomplete.startswith(each)), "")
    names = [prefix + name.removeprefix(_PREFIX) for name in (*catalogue(), *DIRECTIVES)]
    return [name for name in [*names, *([] if prefix else [*CODES, "schema-mapping"])] if name.startswith(incomplete)]
