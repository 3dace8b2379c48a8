"""The names of markers without slips."""

from __future__ import annotations

from validation_gen.rules.markers.catalogue import catalogue
from validation_gen.rules.markers.openapi import is_openapi
from validation_gen.tags.suggestions import certain


def corrected_name(name: str) -> str | None:
    """Returns the intended name, with the argument that it may end with; `None` if it is ambiguous."""
    bare = name.rstrip(":")
    known = [marker for marker in catalogue() if not is_openapi(marker)]
    if bare.rpartition(":")[0] in known:
        return None  # `:` in the place of `=`: with the value the marker would begin to count
    meant = certain(bare, known)
    if meant is None:
        head, _, argument = bare.rpartition(":")
        meant = certain(head, [marker for marker in known if any(form.has_names for form in catalogue()[marker])])
        meant = f"{meant}:{argument}" if meant is not None and argument else None
    return None if meant is None else f"{meant}{name[len(bare) :]}"
