"""What a shell is offered for the value of an option, where the command itself does not list it.

`completing` has it from a table, and asks nobody here; see `offering`.
"""

from __future__ import annotations

from validation_gen.rules.releases import RELEASES


def releases(incomplete: str) -> list[str]:
    """The releases of Kubernetes that can be targeted."""
    return [release for release in RELEASES if release.startswith(incomplete)]
