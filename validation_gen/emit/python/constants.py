"""The constants of one generated module, named by their content or their owner.

No name depends on the number of others, so that an edit of one type changes no line of another.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field
from hashlib import blake2b

from validation_gen.emit.text import Code

#: Maximum length of a content in a name.
_LONGEST = 48


def capital(text: str) -> str:
    """Capitalizes the first letter, for a word inside a longer name: `camelCase` becomes `CamelCase`."""
    return text[:1].upper() + text[1:]


def to_word(expression: str) -> str:
    """Returns a shape as source text in one word: `shapes.Pointer(meta_v1.TimeShape)` as `PointerMetaV1Time`.

    Shapes of the run-time library keep their names (`ListOfSTRING`), so that no type has the same by chance.
    """
    return "".join(map(_word, re.findall(r"\w+", expression.replace("shapes.", ""))))


def _word(name: str) -> str:
    if name.isupper():
        return name
    return "".join(map(capital, (name.removesuffix("Shape") or name).split("_")))


@dataclass(slots=True)
class Constants:
    """Collects constants while functions are written. Equal ones are made once."""

    _names: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _shared: dict[str, list[str]] = field(default_factory=dict)
    _local: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    @property
    def homes(self) -> Set[str]:
        """The names of the types that have constants."""
        return self._local.keys()

    def shared(self, name: str, head: str, args: list[str]) -> str:
        """Returns the name of a constant `head(args)` that types share, by its content.

        Without a head it is `args[0]`.
        """
        key = f"{head}({', '.join(args)})"
        if key not in self._names:
            name = _identifier(name)
            if len(name) > _LONGEST or name in self._taken:
                name = f"{name[:_LONGEST]}_{blake2b(key.encode(), digest_size=3).hexdigest()}"
            self._shared[self._add(key, name)] = _lines(name, head, args)
        return self._names[key]

    def local(self, home: str, name: str, head: str, args: list[str], more: str = "") -> str:
        """Returns the name of a constant `head(args)` of the type `home`. Without a head it is a tuple.

        `more` distinguishes two constants with the same name.
        """
        key = f"{home}: {head}({', '.join(args)})"
        if key not in self._names:
            name = _identifier(name)
            if name in self._taken and more:
                name = _identifier(f"{name}_{more}")[: 2 * _LONGEST].rstrip("_")
            first, number = name, 1
            while name in self._taken:
                number += 1
                name = f"{first}_{number}"
            self._local.setdefault(home, {})[self._add(key, name)] = _lines(name, head, args)
        return self._names[key]

    def _add(self, key: str, name: str) -> str:
        self._taken.add(name)
        self._names[key] = name
        return name

    def find_lines(self, home: str) -> list[str]:
        """Returns the lines of the constants of a type, in the order in which its functions need them."""
        return [line for lines in self._local.get(home, {}).values() for line in lines]

    def all_shared(self) -> list[str]:
        """Returns the lines of the shared constants, sorted by name; constants that others refer to come first."""
        return [line for _, lines in sorted(self._shared.items(), key=_rank) for line in lines]


def _identifier(text: str) -> str:
    return re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_]+", "_", text)).rstrip("_")


def _rank(constant: tuple[str, list[str]]) -> tuple[bool, str]:
    name, lines = constant
    return "Items(" in lines[0], name


def _lines(name: str, head: str, args: list[str]) -> list[str]:
    code = Code()
    if head:
        code.call(f"{name} = {head}", args)
    elif len(args) == 1 and not args[0].startswith(('"', "'", "(")):
        code.add(f"{name} = {args[0]}")
    else:
        code.tuple(f"{name} = ", args)
    return code.lines
