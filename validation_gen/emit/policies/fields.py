"""A field of an object in CEL: its presence, its value, and comparisons with the old one.

Fields on the way may be missing. An absent value that is no pointer is the zero value of its type, as in Go. At run
time, fields have their unescaped JSON names; the type checker expects the escaped names of schemas. So names that CEL
cannot write behind a dot are looked up in a dynamic value, which suits both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from validation_gen.emit.schema.expressions import Member, join_all, literal, negate, render_zero, same_truth
from validation_gen.ir import (
    Key,
    ListOf,
    MapOf,
    PointerTo,
    Program,
    Scalar,
    Selector,
    Shape,
    StructRef,
    Term,
    Wire,
    value_shape,
)

#: Maximum number of comparisons for two structs. Larger ones are compared as a whole.
_MOST_PARTS = 32
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_NO_NAMES = frozenset(("true", "false", "null", "in"))


def _is_plain(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and name not in _NO_NAMES and "__" not in name


def plain(member: Member, base: str) -> str:
    """Returns the expression for a present value."""
    for step in member.steps:
        base = f"{base}.{step}" if _is_plain(step) else f"dyn({base})[{literal(step)}]"
    return base


def optional(member: Member, base: str) -> str:
    """Returns the expression for an optional value."""
    for step in member.steps:
        base = f"{base}.?{step}" if _is_plain(step) else f"dyn({base})[?{literal(step)}]"
    return base


def there(member: Member, base: str) -> str:
    """Returns the condition that the value is present."""
    if len(member.steps) == 1 and _is_plain(member.steps[0]):
        return f"has({base}.{member.steps[0]})"
    return f"{optional(member, base)}.hasValue()" if member.steps else "true"


def value(member: Member, base: str) -> str:
    """Returns the value, or the zero value of its type where it is absent."""
    return f"{optional(member, base)}.orValue({render_zero(value_shape(member.shape))})" if member.steps else base


def _is_packed(shape: Shape) -> bool:
    return isinstance(shape, ListOf) and shape.packed


def _is_sized(shape: Shape) -> bool:
    return isinstance(shape, ListOf | MapOf) and not _is_packed(shape)


def is_set(member: Member, base: str) -> str:
    """Returns the condition that the value is present and not zero."""
    shape = member.shape
    if member.nilable:
        return there(member, base)
    if _is_packed(shape):
        return join_all(there(member, base), f"{plain(member, base)}.size() > 0")
    if _is_sized(shape):
        return f"{value(member, base)}.size() > 0"
    if isinstance(shape, Scalar) and shape.go == "bool":
        return f"{value(member, base)} == true"
    return f"{value(member, base)} != {render_zero(shape)}"


def is_unset(member: Member, base: str) -> str:
    """Returns the condition that the value is absent or zero."""
    shape = member.shape
    if member.nilable or _is_packed(shape):
        return negate(is_set(member, base)) if member.steps else "false"
    if _is_sized(shape):
        return f"{value(member, base)}.size() == 0"
    if isinstance(shape, Scalar) and shape.go == "bool":
        return f"{value(member, base)} == false"
    return f"{value(member, base)} == {render_zero(shape)}"


def is_value(member: Member, value: str | bool, base: str) -> str:
    """Returns the condition that the value equals a text or boolean. An absent one is zero."""
    zero = "false" if isinstance(value, bool) else "''"
    return f"{optional(member, base)}.orValue({zero}) == {literal(value)}"


# --- items ------------------------------------------------------------------------------------------------------------


def same_key(key: Key, shape: Shape, one: str, other: str) -> str:
    """Returns the condition that two items have the same key. An absent one that is no pointer is zero."""
    member = Member((key.json,), shape)
    if key.zero is None:
        return f"{optional(member, one)} == {optional(member, other)}"
    zero = literal(key.zero)
    return f"{optional(member, one)}.orValue({zero}) == {optional(member, other)}.orValue({zero})"


def is_selected(selector: Selector, base: str) -> str:
    """Returns the condition that a selector matches a list item."""
    return join_all(*(_term(term, base) for term in selector))


def _term(term: Term, base: str) -> str:
    value = optional(Member((term.json,), Wire("any")), base)
    if term.pointer:
        return f"{value} == optional.of({literal(term.value)})"
    return f"{value}.orValue({literal(type(term.value)())}) == {literal(term.value)}"


# --- changes ----------------------------------------------------------------------------------------------------------


def equal(program: Program, member: Member, one: str, other: str) -> str:
    """Returns the condition that the member is equal in two objects; an absent one is the zero value, if there is one.

    Equal numbers and times may be written differently. Structs with many members are compared by their notation.
    """
    try:
        parts = list(_Same(program, [_MOST_PARTS]).parts(member, one, other))
    except _TooManyError:
        return _are_written_alike(member, one, other)
    return join_all(*parts) or "true"


class _TooManyError(Exception):
    """Two values have more parts than are compared."""


def _are_written_alike(member: Member, one: str, other: str) -> str:
    return f"{optional(member, one)} == {optional(member, other)}" if member.steps else f"{one} == {other}"


@dataclass(frozen=True, slots=True)
class _Same:
    """Compares two values part by part, as a missing part may be written as zero.

    `left` is the number of parts that may still be compared, `around` are the enclosing structs, `depth` is the number
    of loops. With more parts, `_TooManyError` is raised.
    """

    program: Program
    left: list[int]
    around: tuple[str, ...] = ()
    depth: int = 0

    def parts(self, member: Member, one: str, other: str) -> Iterator[str]:
        self.left[0] -= 1
        if self.left[0] < 0:
            raise _TooManyError
        inner = value_shape(member.shape)
        if isinstance(inner, StructRef):
            yield from self._struct(inner, member, one, other)
        elif isinstance(inner, ListOf | MapOf) and not _is_packed(inner) and self._is_ambiguous(inner.elem):
            yield from self._each(inner, member, one, other)
        else:
            yield _same(member, one, other)

    def _struct(self, struct: StructRef, member: Member, one: str, other: str) -> Iterator[str]:
        members = self.program.structs.get(struct.id)
        if struct.id in self.around or not members or struct.id in self.program.extended:
            yield _are_written_alike(member, one, other)
            return
        if isinstance(member.shape, PointerTo) and member.steps:
            yield same_truth(there(member, one), there(member, other))
        within = replace(self, around=(*self.around, struct.id))
        for part in members:
            yield from within.parts(Member((*member.steps, part.json), part.shape), one, other)

    def _each(self, shape: ListOf | MapOf, member: Member, one: str, other: str) -> Iterator[str]:
        """Yields the conditions that two lists or maps are equal item by item. Each loop has its own variables."""
        empty = "[]" if isinstance(shape, ListOf) else "{}"
        new, old = (f"{optional(member, base)}.orValue({empty})" if member.steps else base for base in (one, other))
        number = str(self.depth + 1) if self.depth else ""
        index, item = f"p{number}", f"q{number}"
        within = replace(self, depth=self.depth + 1)
        same = join_all(*within.parts(Member((), shape.elem), item, f"{old}[{index}]")) or "true"
        yield f"{new}.size() == {old}.size()"
        known = f"{index} in {old}" if isinstance(shape, MapOf) else ""
        yield f"{new}.all({index}, {item}, {join_all(known, same)})"

    def _is_ambiguous(self, shape: Shape) -> bool:
        """Returns whether a value has several notations."""
        inner = value_shape(shape)
        if isinstance(inner, StructRef):
            return inner.id not in self.around
        return isinstance(inner, Wire) and inner.form in _READ


def _same(member: Member, one: str, other: str) -> str:
    inner = value_shape(member.shape)
    read = _READ.get(inner.form, "") if isinstance(inner, Wire) else ""
    if read:
        both = _read(read, plain(member, one), plain(member, other))
        if not member.steps:
            return both
        if isinstance(member.shape, Wire):
            zero = _ZEROS[read]
            return _read(read, *(f"{optional(member, base)}.orValue({zero})" for base in (one, other)))
        here, before = there(member, one), there(member, other)
        return f"({here} ? {join_all(before, both)} : {negate(before)})"
    if not member.steps:
        return f"{one} == {other}"
    if isinstance(member.shape, Wire) and member.shape.form == "intorstring":
        return f"{optional(member, one)}.orValue(0) == {optional(member, other)}.orValue(0)"
    if _is_packed(member.shape):
        same = join_all(is_set(member, other), f"{plain(member, one)} == {plain(member, other)}")
        return f"({is_set(member, one)} ? {same} : {is_unset(member, other)})"
    if member.nilable or not render_zero(member.shape):
        return _are_written_alike(member, one, other)
    return f"{value(member, one)} == {value(member, other)}"


def _read(read: str, one: str, other: str) -> str:
    if read == "quantity":
        return f"quantity(string({one})).compareTo(quantity(string({other}))) == 0"
    return f"{read}({one}) == {read}({other})"


#: Values of absent fields, by the function that reads them.
_ZEROS = {"duration": "'0s'", "quantity": "'0'", "timestamp": "timestamp('0001-01-01T00:00:00Z')"}
#: Functions that parse values with several notations.
_READ = {
    "time": "timestamp",
    "microtime": "timestamp",
    "gotime": "timestamp",
    "quantity": "quantity",
    "duration": "duration",
}
