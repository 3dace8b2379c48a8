"""Names of shared schemas, by their types. Kubernetes' own types get their well-known names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_REFUSED = re.compile(r"[^A-Za-z0-9._-]")


def component_name(id: str) -> str:
    """`k8s.io/api/core/v1.Pod` as `io.k8s.api.core.v1.Pod`: the domain backwards, dots between all parts."""
    path, _, name = id.rpartition(".")
    first, *rest = path.split("/")
    domain = ".".join(reversed(first.split(".")))
    return _REFUSED.sub("_", ".".join(part for part in (domain, *rest, name) if part))


def component_names(ids: Iterable[str]) -> dict[str, str]:
    """A name for each type. Where two types would have the same one, the later one by the alphabet gets a number."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for id in sorted(set(ids)):
        wanted = name = component_name(id)
        number = 2
        while name in taken:
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name)
        names[id] = name
    return names
