"""The constants of one generated module, named by their content or their owner, and tests that tell `1` from `True`.

No name depends on the number of others, so that an edit of one type changes no line of another.

An update first compares a value with the old one. If they are equal, and the old one is well-typed, texts are the same;
the tests compare numbers and booleans, and values of variable type, which Python regards as equal: `1`, `1.0` and
`True` are three values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

from validation_gen.emit.text import Code, literal
from validation_gen.ir import ListOf, MapOf, Member, PointerTo, Scalar, Shape, StructRef, Wire, value_shape

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


#: The forms that are always a text.
_TEXTS = {"time", "microtime", "gotime", "duration"}
_CLASSES = {"bool": ("bool",), "float32": ("float", "int"), "float64": ("float", "int"), "intorstring": ("str", "int")}


def _is_confusable(shape: Shape) -> bool:
    """Returns whether a single value can equal one of another type."""
    match shape:
        case Scalar(go=go):
            return go != "string"
        case Wire(form=form):
            return form not in _TEXTS
    return isinstance(shape, ListOf) and shape.packed


def confusable_structs(structs: Mapping[str, tuple[Member, ...]]) -> frozenset[str]:
    """Returns the ids of structs that contain anything but texts, directly or indirectly."""
    holders: dict[str, list[str]] = {}
    found: set[str] = set()
    for id, members in structs.items():
        for member in members:
            shape = innermost(member.shape)
            if isinstance(shape, StructRef):
                holders.setdefault(shape.id, []).append(id)
            elif _is_confusable(shape):
                found.add(id)
    waiting = list(found)
    while waiting:
        for id in holders.get(waiting.pop(), ()):
            if id not in found:
                found.add(id)
                waiting.append(id)
    return frozenset(found)


def innermost(shape: Shape) -> Shape:
    while isinstance(shape, PointerTo | MapOf) or (isinstance(shape, ListOf) and not shape.packed):
        shape = shape.elem
    return shape


class ExactNames(Protocol):
    """The functions' interface to their module."""

    def shape(self, shape: Shape) -> str:
        """Returns an expression for a shape."""

    def exact(self, struct: StructRef) -> str:
        """Returns the function of a struct, empty if it holds only texts."""


@dataclass(slots=True)
class ExactWalk:
    """Writes the functions."""

    names: ExactNames
    code: Code = field(default_factory=Code)

    def function(self, name: str, members: tuple[Member, ...]) -> list[str]:
        """Writes the function of one struct, which returns whether all its values have the right type."""
        code = self.code
        code.call(f"def exact_{name}", ["obj: dict[str, Any]"], " -> bool:")
        with code.block():
            for member in members:
                if self._matters(member.shape):
                    with code.block(f"if {literal(member.json)} in obj:"):
                        code.add(f"v = obj[{literal(member.json)}]")
                        self._value(member.shape, "v", 1)
            code.add("return True")
        return code.lines

    def _matters(self, shape: Shape) -> bool:
        shape = innermost(shape)
        return bool(self.names.exact(shape)) if isinstance(shape, StructRef) else _is_confusable(shape)

    def _value(self, shape: Shape, v: str, depth: int) -> None:
        code, shape = self.code, value_shape(shape)
        n = "" if depth == 1 else str(depth)
        match shape:
            case StructRef():
                self._unless(f"{v} and not {self.names.exact(shape)}({v})")
            case ListOf(packed=False, elem=elem):
                with code.block(f"for item{n} in {v} or ():"):
                    self._value(elem, f"item{n}", depth + 1)
            case MapOf(elem=elem):
                with code.block(f"for item{n} in ({v} or {{}}).values():"):
                    self._value(elem, f"item{n}", depth + 1)
            case Scalar(go=kind) | Wire(form=kind) if kind in _CLASSES or isinstance(shape, Scalar):
                classes = _CLASSES.get(kind, ("int",))
                self._unless(" and ".join([*(f"{v}.__class__ is not {name}" for name in classes), f"{v} is not None"]))
            case _:
                self._unless(f"{v}.__class__ is not str and not {self.names.shape(shape)}.exact({v})")

    def _unless(self, condition: str) -> None:
        self.code.condition(condition)
        with self.code.block():
            self.code.add("return False")
