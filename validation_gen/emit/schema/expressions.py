"""CEL as text: literals, names, and a member of an object in its several states (there, set, zero)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from validation_gen.ir import ListOf, MapOf, PointerTo, Scalar, Selector, Shape, StructRef, Term, Wire, value_shape
from validation_gen.kubernetes.cel import escape

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
#: String literals, which searches skip.
_TEXT = re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)
_PLACE_OR_TEXT = re.compile(rf"{_TEXT.pattern}|\{{v\}}", re.DOTALL)
#: A name or a call, whose arguments contain only calls without arguments: `has(oldSelf.value().name)`.
_CALL = re.compile(r"[\w.?]+(?:\((?:[^()]|\(\))*\))?(?:\.\w+\((?:[^()]|\(\))*\))*")


def literal(value: str | int | bool) -> str:
    """Returns a value as CEL writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{text}'"


def listing(values: tuple[str, ...]) -> str:
    return f"[{', '.join(map(literal, values))}]"


def escape_property(json_name: str) -> str:
    """Returns the name of a property as CEL writes it after a dot; `""` if CEL cannot."""
    return escape(json_name) or ""


def field_path(steps: tuple[str, ...]) -> str:
    """Steps as the `fieldPath` of a rule."""
    path = ""
    for step in steps:
        quoted = step.replace("\\", "\\\\").replace("'", "\\'")
        path += f".{step}" if _PLAIN.fullmatch(step) else f"['{quoted}']"
    return path


def substitute(condition: str, value: str) -> str:
    """Returns a condition with `{v}` replaced by a value."""
    return _PLACE_OR_TEXT.sub(lambda found: value if found[0] == "{v}" else found[0], condition)


def join_all(*conditions: str) -> str:
    """Joins conditions with `&&`, without the empty ones."""
    return " && ".join(_tight(c, "||", "?") for c in conditions if c)


def join_any(*conditions: str) -> str:
    return " || ".join(_tight(c, "?") for c in conditions if c)


def negate(condition: str) -> str:
    comparison = re.fullmatch(r"([\w.]+) ([!=])= ([\w.]+|'[^'\\]*')", condition)
    if comparison is not None:
        left, operator, right = comparison.groups()
        return f"{left} {'=' if operator == '!' else '!'}= {right}"
    if condition.startswith("!") and not re.search(r"[|&=<> ]", condition):
        return condition[1:]
    return f"!{condition}" if _CALL.fullmatch(condition) else f"!({condition})"


def _count(sets: Sequence[str]) -> str:
    return " + ".join(f"({now} ? 1 : 0)" for now in sets)


def exactly_one(sets: Sequence[str]) -> str:
    """Returns the condition that exactly one of these conditions holds."""
    if len(sets) == 1:
        return sets[0]
    if len(sets) == 2:
        return " != ".join(now if " " not in now else f"({now})" for now in sets)
    return f"{_count(sets)} == 1"


def at_most_one(sets: Sequence[str]) -> str:
    """Returns the condition that at most one of these conditions holds."""
    if len(sets) == 2:
        return join_any(*(negate(now) for now in sets))
    return f"{_count(sets)} <= 1"


def _tight(condition: str, *looser: str) -> str:
    """Adds parentheses if an operator binds less than the surroundings."""
    depth = 0
    bare = _TEXT.sub("''", condition)
    for i, char in enumerate(bare):
        depth += (char in "([{") - (char in ")]}")
        # `.?` and `[?` are optional selections; the question mark of a condition is between blanks.
        if not depth and any(bare.startswith(f" {operator} ", i) for operator in looser):
            return f"({condition})"
    return condition


def render_zero(shape: Shape) -> str:
    """Returns the zero value of a shape as CEL writes it, `""` if it has none that can be written."""
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
        return all(escape_property(step) for step in self.steps)

    @property
    def nilable(self) -> bool:
        """True if absence is its own state, and no zero value."""
        return isinstance(self.shape, PointerTo | Wire | StructRef)

    def plain(self, base: str = "self") -> str:
        """Returns the expression for a present value."""
        return base + "".join(f".{escape_property(step)}" for step in self.steps)

    def there(self, base: str = "self") -> str:
        """Returns the condition that the value is present."""
        conditions = []
        for step in self.steps:
            conditions.append(f"has({base}.{escape_property(step)})")
            base = f"{base}.{escape_property(step)}"
        return join_all(*conditions)

    def value(self, base: str = "self") -> str:
        """Returns the value, or the zero value of its type where it is absent.

        CEL has `.?name.orValue('')` for that; but how large a value can be is lost behind it, and with it any estimate
        of the cost.
        """
        if not self.steps:
            return base
        return f"({self.there(base)} ? {self.plain(base)} : {render_zero(value_shape(self.shape))})"

    def is_value(self, value: str | bool, base: str = "self", *, always: bool = False) -> str:
        """Returns the condition that the value equals a text or boolean.

        An absent one is zero, unless it is `always` present.
        """
        if isinstance(value, bool):
            there = self.plain(base) if always else join_all(self.there(base), self.plain(base))
            return there if value else negate(there)
        same = f"{self.plain(base)} == {literal(value)}"
        if always:
            return same
        return join_all(self.there(base), same) if value else join_any(negate(self.there(base)), same)

    def equals(self, a: str, b: str) -> str:
        """Returns the condition that the member is equal in two objects; an absent one is the zero value."""
        if self.nilable or not render_zero(self.shape):
            both = f"{self.plain(a)} == {self.plain(b)}"
            if not self.steps:
                return both
            return join_all(same_truth(self.there(a), self.there(b)), join_any(negate(self.there(a)), both))
        return f"{self.value(a)} == {self.value(b)}"

    def is_set(self, base: str = "self") -> str:
        """Returns the condition that the value is present and not zero."""
        shape = self.shape
        there, value = self.there(base), self.plain(base)
        if self.nilable:
            return there
        if isinstance(shape, ListOf | MapOf) and not (isinstance(shape, ListOf) and shape.packed):
            return join_all(there, f"{value}.size() > 0")
        if shape == Scalar("bool") or (isinstance(shape, Scalar) and shape.go == "bool"):
            return join_all(there, value)
        return join_all(there, f"{value} != {render_zero(shape)}")


def same_truth(a: str, b: str) -> str:
    """Returns the condition that two conditions agree."""
    return f"{a} == {b}" if " " not in a else f"({a}) == ({b})"


def match_selector(selector: Selector, base: str, keys: Collection[str] = ()) -> str:
    """Returns the condition that a selector matches a list item. The members in `keys` are in every item."""
    return join_all(*(_term(term, base, term.json in keys) for term in selector))


def _term(term: Term, base: str, there: bool) -> str:
    shape: Shape = Scalar(_GO[type(term.value)])
    member = Member((term.json,), PointerTo(shape) if term.pointer else shape)
    if there:
        return f"{member.plain(base)} == {literal(term.value)}"
    if not term.pointer and term.value == term.zero:
        return join_any(negate(member.there(base)), f"{member.plain(base)} == {literal(term.value)}")
    return join_all(member.there(base), f"{member.plain(base)} == {literal(term.value)}")


_GO: dict[type, str] = {str: "string", int: "int64", bool: "bool"}
