"""Which marker was probably meant where a name is not known."""

from __future__ import annotations

from functools import lru_cache

from validation_gen.rules.markers.base import Target
from validation_gen.rules.markers.catalogue import catalogue, find, is_anothers, is_ours, shared_tags
from validation_gen.rules.markers.forms import PREFIX as FORMS
from validation_gen.rules.markers.openapi import is_openapi
from validation_gen.runtime.words import likeness
from validation_gen.tags.suggestions import probable

_OWNER, _OWN = "kubebuilder", "validation-gen:"
#: Names without a colon are everybody's, so they must be more alike.
_ALIKE = 0.85


@lru_cache(maxsize=4096)
def suggestion(name: str, target: Target) -> str | None:
    """The marker that was probably meant by an unknown name.

    `None` when the name is somebody else's, `""` when it is ours but like no other.
    """
    name = name.rstrip(":")
    if is_anothers(name) or name in shared_tags():
        return None
    names = sorted((known for known in catalogue() if not is_openapi(known)), key=lambda known: not find(known, target))
    if not name.startswith(_OWN):  # others mean fields by what our own markers have schemas for
        names = [known for known in names if not known.startswith(FORMS)]
    head, colon, _ = name.partition(":")
    if not colon:
        return _bare(name, names)
    if head != _OWNER and likeness(head.casefold(), _OWNER) > _ALIKE:
        name = f"{_OWNER}:{name.partition(':')[2]}"
        if name in names:
            return name
        if name.rpartition(":")[0] in names:
            return name.rpartition(":")[0]
    if not any(known.startswith(f"{name.partition(':')[0]}:") for known in names):
        return None
    near = _sibling(name, names) or _sibling(name.rpartition(":")[0], [n for n in names if _takes_names(n)])
    if near is None and is_ours(name):
        items = [known for known in names if ":items:" in known]
        near = probable(name, items if ":items:" in name else [n for n in names if n not in items]) or ""
    return near


def _sibling(name: str, names: list[str]) -> str | None:
    """The nearest name that differs only behind the last colon."""
    prefix = name.rpartition(":")[0]
    return probable(name, [known for known in names if known.rpartition(":")[0] == prefix]) if prefix else None


def _bare(name: str, names: list[str]) -> str | None:
    for known in names:
        if ":" not in known and likeness(name.casefold(), known.casefold()) >= _ALIKE:
            return known
    return None


def _takes_names(name: str) -> bool:
    return any(marker.has_names for marker in catalogue()[name])
