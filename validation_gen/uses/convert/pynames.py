"""Names in a Python module: its imports, and the names of its own declarations."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterable

from validation_gen.types.naming import attribute_name

FUTURE, DATACLASSES, ENUM, TYPING = "__future__", "dataclasses", "enum", "typing"
OURS, META = "validation_gen.types", "validation_gen.types.meta"
_STANDARD = (DATACLASSES, ENUM, TYPING)

#: Builtins that annotations and defaults need. Names in the module must not shadow them.
BUILTINS = frozenset("bool bytes dict field float int list str".split())


class Names:
    """The names of one module. Its own take precedence: imports are renamed to avoid them."""

    def __init__(self, declared: Iterable[str]) -> None:
        self.own = {name: _safe(name) for name in declared}
        self._taken = {*self.own.values(), *BUILTINS}
        self._imported: dict[tuple[str, str], str] = {}

    def imported(self, module: str, name: str, prefix: str = "Py") -> str:
        """Imports a name of another module, and returns its local name. `prefix` avoids conflicts with own names."""
        key = (module, name)
        if key not in self._imported:
            plain = name == "field" and module == DATACLASSES
            self._imported[key] = name if plain else unique(name, self._taken, f"{prefix}{name}")
        return self._imported[key]

    def new(self, name: str) -> str:
        """Returns a name for another declaration of the module."""
        return unique(_safe(name), self._taken)

    def import_lines(self) -> list[list[str]]:
        """Returns import statements in their customary groups."""
        modules: dict[str, list[str]] = {}
        for (module, name), local in sorted(self._imported.items()):
            modules.setdefault(module, []).append(name if name == local else f"{name} as {local}")
        lines = {module: f"from {module} import {', '.join(names)}" for module, names in modules.items()}
        standard = [lines[m] for m in _STANDARD if m in lines]
        ours = [lines[m] for m in (OURS, META) if m in lines]
        siblings = [lines[m] for m in sorted(lines, key=_distance) if m.startswith(".")]
        future = [lines[FUTURE]] if FUTURE in lines else []
        return [group for group in (future, standard, ours, siblings) if group]


def _distance(module: str) -> tuple[int, str]:
    """Returns the sort key of relative imports: the most distant first."""
    name = module.lstrip(".")
    return (len(name) - len(module), name)


def _safe(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in BUILTINS or name == "object" else name


def unique(name: str, taken: set[str], second: str = "") -> str:
    """Returns the name, or the second choice, or one with a number, and reserves it."""
    number = 1
    wanted = name
    while wanted in taken:
        wanted = second if second and second not in taken else f"{second or name}_{(number := number + 1)}"
    taken.add(wanted)
    return wanted


def attribute(name: str, hidden: Collection[str], taken: set[str]) -> str:
    """Returns an attribute for a JSON name or a Go name that shadows no name in annotations of the class."""
    wanted = attribute_name(name)
    return unique(f"{wanted}_" if wanted in BUILTINS or wanted in hidden else wanted, taken)


def member_names(type_name: str, constants: list[str]) -> list[str]:
    """Returns names for the members of an enum: its constants in capitals, without their common first words."""
    words = [_words(name) for name in constants]
    first, last = min(words), max(words)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    own = _words(type_name)
    if len(words) == 1:
        shared = len(own) if words[0][: len(own)] == own else 0
    short = [w[shared:] for w in words]
    if not all(s and s[0][0].isalpha() for s in short):
        short = words
    taken: set[str] = set()
    return [unique("_".join(s).upper(), taken) for s in short]


def _words(name: str) -> list[str]:
    return [word for word in re.split("_+", attribute_name(name)) if word]
