"""Where generated code goes: a module for every API package, mirroring its group and version."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable


def identifier(text: str) -> str:
    """A Python identifier close to `text`."""
    name = re.sub(r"\W", "_", text)
    if not name or name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def module_names(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The module of each import path, as names from the generated package down.

    Two elements (`robots/v1`) are enough for most; paths that would meet get as many as it takes to tell them apart. No
    module has the name of a package beside it.
    """
    parts = {path: tuple(identifier(p) for p in path.split("/") if p) or ("_",) for path in sorted(set(paths))}
    length = {path: min(2, len(names)) for path, names in parts.items()}
    while True:
        chosen = {path: parts[path][-n:] for path, n in length.items()}
        clashes = Counter(chosen.values())
        longer = [p for p, names in chosen.items() if clashes[names] > 1 and length[p] < len(parts[p])]
        if not longer:
            break
        for path in longer:
            length[path] += 1
    packages = {names[:i] for names in chosen.values() for i in range(1, len(names))}
    return {path: (*names[:-1], f"{names[-1]}_") if names in packages else names for path, names in chosen.items()}
