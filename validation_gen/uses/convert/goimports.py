"""Imports of a Go file, and the names of types in other packages."""

from __future__ import annotations

import re

from validation_gen.sources.model import Named, Package, Universe
from validation_gen.uses.convert.gotext import KEYWORDS, identifier, quoted
from validation_gen.uses.convert.pynames import unique

_VERSION = re.compile(r"v[0-9]+(?:(?:alpha|beta)[0-9]+)?")


class Imports:
    """Import declarations, created on demand."""

    def __init__(self, package: Package, universe: Universe) -> None:
        self._universe = universe
        self._taken = {*package.types, *(c.name for c in package.constants), *KEYWORDS}
        self._names: dict[str, tuple[str, bool]] = {}

    def qualified(self, type: Named) -> str:
        """Returns the name of a type of another package, and imports that."""
        if type.package not in self._names:
            self._names[type.package] = self._name(type.package)
        return f"{self._names[type.package][0]}.{identifier(type.name)}"

    def _name(self, path: str) -> tuple[str, bool]:
        """Returns a name for a package, and whether the import must have it: `metav1`, as `v1` would be unclear."""
        package = self._universe.package(path)
        *parents, last = path.split("/")
        real = package.name if package else ""
        wanted = re.sub(r"\W", "", f"{parents[-1]}{last}" if parents and _VERSION.fullmatch(last) else real or last)
        wanted = f"x{wanted}" if not wanted.isidentifier() else wanted
        name = unique(wanted.lower(), self._taken)
        return name, not name == last == real

    def blocks(self) -> list[str]:
        """Returns the import declaration, if there is any: the standard library first, the rest after an empty line."""
        lines = {path: f"{name} {quoted(path)}" if said else quoted(path) for path, (name, said) in self._names.items()}
        standard = [lines[path] for path in sorted(lines) if "." not in path.partition("/")[0]]
        others = [lines[path] for path in sorted(lines) if "." in path.partition("/")[0]]
        if len(lines) == 1:
            return [f"import {line}" for line in lines.values()]
        inner = "\n\n".join("\n".join(f"\t{line}" for line in group) for group in (standard, others) if group)
        return [f"import (\n{inner}\n)"] if lines else []
