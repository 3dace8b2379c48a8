"""A field of an object in CEL: whether it is there, whether it is set, its value, and whether it is as it was.

Fields on the way may be missing. An absent value that is no pointer is the zero value of its type, as for Go.
"""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.emit.schema.expressions import Member, all_of, escaped, negated, zero_of
from validation_gen.ir import ListOf, MapOf, PointerTo, Program, Scalar, StructRef, Wire, value_shape

#: So many comparisons may stand for one of two structs. Others are compared as they are written.
_MOST_PARTS = 16


def there(member: Member, base: str) -> str:
    """Tell whether the value is there."""
    if len(member.steps) == 1:
        return f"has({base}.{escaped(member.steps[0])})"
    return f"{optional(member, base)}.hasValue()" if member.steps else "true"


def optional(member: Member, base: str) -> str:
    """The value, which may be missing."""
    return base + "".join(f".?{escaped(step)}" for step in member.steps)


def value(member: Member, base: str) -> str:
    """The value, or the zero value of its type where it is absent."""
    return f"{optional(member, base)}.orValue({zero_of(value_shape(member.shape))})" if member.steps else base


def is_set(member: Member, base: str) -> str:
    """Tell whether the value is there and not zero."""
    shape = member.shape
    if member.nilable:
        return there(member, base)
    if isinstance(shape, ListOf | MapOf) and not (isinstance(shape, ListOf) and shape.packed):
        return f"{value(member, base)}.size() > 0"
    if isinstance(shape, Scalar) and shape.go == "bool":
        return f"{value(member, base)} == true"
    return f"{value(member, base)} != {zero_of(shape)}"


def is_unset(member: Member, base: str) -> str:
    """Tell the opposite."""
    shape = member.shape
    if member.nilable:
        return negated(there(member, base))
    if isinstance(shape, ListOf | MapOf) and not (isinstance(shape, ListOf) and shape.packed):
        return f"{value(member, base)}.size() == 0"
    if isinstance(shape, Scalar) and shape.go == "bool":
        return f"{value(member, base)} == false"
    return f"{value(member, base)} == {zero_of(shape)}"


def is_value(member: Member, wanted: str | bool, base: str) -> str:
    """Tell whether the value is a text or a truth. An absent one is zero."""
    zero = "false" if isinstance(wanted, bool) else "''"
    from validation_gen.emit.schema.expressions import literal  # noqa: PLC0415

    return f"{optional(member, base)}.orValue({zero}) == {literal(wanted)}"


def equal(program: Program, member: Member, one: str, other: str) -> str:
    """Tell whether the member is the same in two objects; absence is the zero value, where there is one."""
    parts = list(_parts(program, member, ()))
    if len(parts) > _MOST_PARTS:
        return _same(member, one, other)
    return all_of(*(_same(part, one, other) for part in parts)) or "true"


def _same(member: Member, one: str, other: str) -> str:
    if not member.steps:
        return f"{one} == {other}"
    if member.nilable or not zero_of(member.shape):
        return f"{optional(member, one)} == {optional(member, other)}"
    return f"{value(member, one)} == {value(member, other)}"


def _parts(program: Program, member: Member, around: tuple[str, ...]) -> Iterator[Member]:
    """The parts that are compared: those of structs, as a missing part may be written as a zero value."""
    shape = member.shape
    inner = value_shape(shape)
    if not isinstance(inner, StructRef) or inner.id in around or not program.structs.get(inner.id):
        yield member
        return
    if isinstance(shape, PointerTo) and member.steps:
        yield Member(member.steps, Wire("any"))
        return
    for part in program.structs[inner.id]:
        below = Member((*member.steps, part.json), part.shape)
        if not below.sayable:
            yield member
            return
        yield from _parts(program, below, (*around, inner.id))
