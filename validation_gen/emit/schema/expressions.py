"""CEL as text: literals, names, and a member of an object in its several states (there, set, zero)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from validation_gen.ir import ListOf, MapOf, PointerTo, Scalar, Selector, Shape, StructRef, Term, Wire

#: Names that CEL keeps for itself; the API server writes them with underscores around.
_RESERVED = frozenset(
    "true false null in as break const continue else for function if import let loop package namespace return var void "
    "while".split()
)
_SYMBOLS = {".": "__dot__", "-": "__dash__", "/": "__slash__"}
_ESCAPABLE = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def literal(value: str | int | bool) -> str:
    """A value as CEL writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped = json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"


def listing(values: tuple[str, ...]) -> str:
    return f"[{', '.join(map(literal, values))}]"


def name(json_name: str) -> str:
    """A property's name behind a dot; `""` when CEL cannot say it.

    Source: the escaping of property names in CRD validation rules.
    """
    if not _ESCAPABLE.fullmatch(json_name):
        return ""
    if json_name in _RESERVED:
        return f"__{json_name}__"
    escaped = json_name.replace("__", "__underscores__")
    for symbol, text in _SYMBOLS.items():
        escaped = escaped.replace(symbol, text)
    return escaped


def field_path(steps: tuple[str, ...]) -> str:
    """Steps as the `fieldPath` of a rule."""
    path = ""
    for step in steps:
        quoted = step.replace("\\", "\\\\").replace("'", "\\'")
        path += f".{step}" if _PLAIN.fullmatch(step) else f"['{quoted}']"
    return path


def said(condition: str, value: str) -> str:
    """A condition with `{v}` in the place of a value, about the given one."""
    return condition.replace("{v}", value)


def all_of(*conditions: str) -> str:
    """Conditions that must all hold; empty ones are no conditions."""
    return " && ".join(_tight(c, "||", "?") for c in conditions if c)


def any_of(*conditions: str) -> str:
    return " || ".join(_tight(c, "?") for c in conditions if c)


def negated(condition: str) -> str:
    if condition.startswith("!") and not re.search(r"[|&=<> ]", condition):
        return condition[1:]
    simple = re.fullmatch(r"[\w.?]+(?:\([^()]*\))?(?:\.\w+\([^()]*\))*", condition)
    return f"!{condition}" if simple else f"!({condition})"


def _tight(condition: str, *looser: str) -> str:
    """In parentheses if an operator outside of parentheses binds less than the surroundings."""
    depth = 0
    quoted = False
    for i, char in enumerate(condition):
        if char == "'" and (i == 0 or condition[i - 1] != "\\"):
            quoted = not quoted
        if quoted:
            continue
        depth += (char in "([{") - (char in ")]}")
        if not depth:
            for operator in looser:
                # `.?` and `[?` choose optionally; the question mark of a condition stands between blanks.
                if condition.startswith(f" {operator} ", i):
                    return f"({condition})"
    return condition


def zero_of(shape: Shape) -> str:
    """The zero value of a shape as CEL writes it, `""` if it has none that can be written."""
    match shape:
        case Scalar(go=go):
            return "0.0" if go.startswith("float") else literal(shape.zero)
        case ListOf(packed=True):
            return "''"
        case ListOf():
            return "[]"
        case MapOf():
            return "{}"
        case Wire(form="time" | "microtime" | "duration" | "quantity" | "intorstring" | "raw" | "any"):
            return ""
    return ""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object at some depth: the names that lead to it, and its shape as declared."""

    steps: tuple[str, ...]
    shape: Shape

    @property
    def sayable(self) -> bool:
        return all(name(step) for step in self.steps)

    @property
    def nilable(self) -> bool:
        """Whether absence is a state of its own, and no zero value."""
        return isinstance(self.shape, PointerTo | Wire | StructRef)

    def plain(self, base: str = "self") -> str:
        """The value, where it is there."""
        return base + "".join(f".{name(step)}" for step in self.steps)

    def optional(self, base: str = "self") -> str:
        """The value as a CEL optional."""
        return base + "".join(f".?{name(step)}" for step in self.steps)

    def there(self, base: str = "self") -> str:
        """Whether the value is there."""
        conditions = []
        for step in self.steps:
            conditions.append(f"has({base}.{name(step)})")
            base = f"{base}.{name(step)}"
        return all_of(*conditions)

    def value(self, base: str = "self") -> str:
        """The value, or the zero value of its type where it is absent."""
        return f"{self.optional(base)}.orValue({zero_of(self.shape)})"

    def is_set(self, base: str = "self") -> str:
        """Whether the value is there and not zero."""
        shape = self.shape
        there, value = self.there(base), self.plain(base)
        if self.nilable:
            return there
        if isinstance(shape, ListOf | MapOf) and not (isinstance(shape, ListOf) and shape.packed):
            return all_of(there, f"{value}.size() > 0")
        if shape == Scalar("bool") or (isinstance(shape, Scalar) and shape.go == "bool"):
            return self.value(base)
        return all_of(there, f"{value} != {zero_of(shape)}")


def selected(selector: Selector, base: str) -> str:
    """Whether a list item is the one that a selector means."""
    return all_of(*(_term(term, base) for term in selector))


def _term(term: Term, base: str) -> str:
    shape: Shape = Scalar(_GO[type(term.value)])
    member = Member((term.json,), PointerTo(shape) if term.pointer else shape)
    if not term.pointer and term.value == term.zero:
        return f"{member.value(base)} == {literal(term.value)}"
    return all_of(member.there(base), f"{member.plain(base)} == {literal(term.value)}")


_GO: dict[type, str] = {str: "string", int: "int64", bool: "bool"}
