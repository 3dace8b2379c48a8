"""Module paths of generated code: a module for every API package, mirroring its group and version."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from validation_gen.types.naming import file_word


def identifier(text: str) -> str:
    """A Python identifier close to `text`."""
    name = re.sub(r"\W", "_", text)
    if not name or name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def module_names(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The module of each import path, as names from the generated package down.

    Two elements (`robots/v1`) are enough for most; paths that would meet get as many as it takes to tell them apart. No
    module has the name of a package beside it. All can be files on every system: none differs from
    another in case alone.
    """
    parts = {
        path: tuple(file_word(identifier(p)) for p in path.split("/") if p) or ("_",) for path in sorted(set(paths))
    }
    length = {path: min(2, len(names)) for path, names in parts.items()}
    while True:
        chosen = {path: parts[path][-n:] for path, n in length.items()}
        clashes = Counter(chosen.values())
        longer = [p for p, names in chosen.items() if clashes[names] > 1 and length[p] < len(parts[p])]
        if not longer:
            break
        for path in longer:
            length[path] += 1
    return _apart(chosen)


def _apart(chosen: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The names, so changed that no two in a directory are one, also where case does not count."""
    packages: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}
    used: set[tuple[str, ...]] = set()

    def free(above: tuple[str, ...], name: str) -> tuple[str, ...]:
        while (*above, name.lower()) in used:
            name = f"{name}_"
        used.add((*above, name.lower()))
        return (*above, name)

    for names in chosen.values():
        for depth in range(1, len(names)):
            if names[:depth] not in packages:
                packages[names[:depth]] = free(packages[names[: depth - 1]], names[depth - 1])
    return {path: free(packages[names[:-1]], names[-1]) for path, names in chosen.items()}
