"""Values in generated code: variable, old value, path, shape, and the conditions that demand a closer look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from validation_gen.emit.python.names import Names
from validation_gen.emit.text import Code, literal
from validation_gen.ir import ListOf, MapOf, Member, PointerTo, Scalar, Shape, StructRef, Wire, value_shape
from validation_gen.runtime.wire import WIRE

Path = tuple[str, ...]  # literal text, or a variable in braces


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A value in generated code: its variable, the variable of its old value (or `None`), its path and its shape.

    `known` is the condition that an old value exists, if that may itself be null. `sure`: the value is not null here,
    although its shape allows it.
    """

    value: str
    old: str
    path: Path
    shape: Shape
    inlined: str = ""  # the type name of the inlined struct in which the path begins
    known: str = ""
    sure: bool = False

    @property
    def has_old(self) -> str:
        return self.known or f"{self.old} is not None"

    def below(self, element: str, value: str, old: str, shape: Shape, known: str = "") -> ValueRef:
        return ValueRef(value, old, (*self.path, element), shape, self.inlined, known)


def path_expression(path: Path) -> str:
    """Returns a string literal, or an f-string when the path has variables."""
    if any(p.startswith("{") for p in path):
        text = "".join(p if p.startswith("{") else p.replace("{", "{{").replace("}", "}}") for p in path)
        quoted = literal(text)
        return f"f{quoted}"
    return literal("".join(path))


@dataclass(frozen=True, slots=True)
class FailureTarget:
    """Handling of a failed check: its errors go to the list `errors`, the variable `flag` becomes true."""

    errors: str = "errs"
    flag: str = ""


def zero(shape: Shape) -> str:
    """Returns the zero value of a shape as source text; pointers, lists and maps are nil."""
    if isinstance(shape, Scalar):
        return literal(shape.zero)
    return "{}" if isinstance(shape, StructRef) else "None"


def is_packed(shape: Shape) -> bool:
    return isinstance(shape, ListOf) and shape.packed


def as_go(source: str, shape: Shape) -> str:
    """Returns an expression for Go's value of the JSON value `source`, which may be absent or null."""
    if is_packed(shape):
        return f"unpacked({source})"
    return f"{source} or {zero(shape)}" if isinstance(shape, Scalar | StructRef) else source


def is_null(value: str) -> str:
    """Returns the null check of a value, in the order from which pyright infers nothing.

    After `if v is None:` it takes an untyped `v` for `Any | None`, even if the null was replaced.
    """
    return f"None is {value}"


def is_there(value: str) -> str:
    """Returns the opposite question."""
    return f"None is not {value}"


_CLASSES = {"string": "str", "bool": "bool"}
_BITS = {"int": 64, "uint": 64} | {f"{sign}int{bits}": bits for sign in ("", "u") for bits in (8, 16, 32, 64)}


def suspect(shape: Shape, value: str, names: Names) -> tuple[str, ...]:
    """Returns the conditions under which a value may not have a shape, if all hold; none where any value does.

    They never read the children of a value. Null is suspect, too, so that a usual value needs one condition.
    """
    match value_shape(shape):
        case Scalar(go="string" | "bool" as go):
            return (f"{value}.__class__ is not {_CLASSES[go]}",)
        case Scalar(go="float32" | "float64"):
            return (f"{value}.__class__ is not float", f"{value}.__class__ is not int")
        case Scalar(go=go):
            return (f"{value}.__class__ is not int or {_may_overflow(go, value)}",)
        case Wire(form="any" | "raw"):
            return ()
        case Wire(form="intorstring"):
            return (f"{value}.__class__ is not str", f"{value}.__class__ is not int or {_may_overflow('int32', value)}")
        case ListOf(packed=True):
            return (f"{value} is not None",)
        case Wire() as wire:
            return (f"{value} not in {names.make_known_constant(f'{names.shape(wire)}.known')}",)
        case ListOf():
            return (f"{value}.__class__ is not list",)
        case _:
            return (f"{value}.__class__ is not dict",)


def bounds(go: str) -> tuple[int, int]:
    """Returns the smallest and the largest number of one of Go's integer types."""
    bits = _BITS[go]
    return (0, 2**bits - 1) if go.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _may_overflow(go: str, value: str) -> str:
    """Returns the condition that an integer may not fit."""
    if _BITS[go] == 64:
        # One bit less than allowed, or no negative numbers: the few other values get a closer check.
        return f"not 0 <= {value} <= {2**63 - 1}" if go.startswith("u") else f"{value}.bit_length() > 63"
    low, high = bounds(go)
    return f"not {low} <= {value} <= {high}"


def refuses_null(shape: Shape) -> bool:
    """Returns whether null does not decode, while an absent value does."""
    return isinstance(shape, Wire) and not WIRE[shape.form].nullable


@dataclass(slots=True)
class TypeWalk:
    """Writes code that leaves by an exception where a value does not decode."""

    names: Names
    code: Code

    def guard(self, shape: Shape, variable: str, *, present: bool = False) -> None:
        """Writes code that replaces a null variable by the zero value, as Go decodes it.

        `present`: null is a value itself here, not an absent member, and some types do not decode it.
        """
        decoded = "present" if present and refuses_null(shape) else "decoded"
        conditions = suspect(shape, variable, self.names)
        for condition in conditions:
            self.code.condition(condition)
            self.code.depth += 1
        if conditions:
            self.code.call(f"{variable} = {self.names.shape(shape)}.{decoded}", [variable])
        self.code.depth -= len(conditions)

    def below(self, shape: Shape, variable: str, depth: int = 1) -> None:
        """Checks the children of a value, after the value itself."""
        n = "" if depth == 1 else str(depth)
        code = self.code
        match value_shape(shape):
            case StructRef() as struct:
                if self.names.members(struct):
                    with code.block(f"if {variable}:"):
                        code.add(f"{self.names.typed(struct)}({variable})")
            case ListOf(packed=False, elem=elem, length=length) if suspect(elem, "", self.names):
                items = f"{variable} or ()" if length is None else f"({variable} or ())[:{length}]"
                with code.block(f"for item{n} in {items}:"):
                    self._whole(elem, f"item{n}", depth)
            case MapOf(elem=elem) as container:
                with code.block(f"for key{n}, item{n} in ({variable} or {{}}).items():"):
                    self.key(container, f"key{n}")
                    self._whole(elem, f"item{n}", depth)

    def key(self, container: MapOf, variable: str) -> None:
        """Looks at the key of a map."""
        if container.key.go == "string":
            with self.code.block(f"if {variable}.__class__ is not str:"):
                self.code.call(f"{self.names.shape(container)}.demand_key", [variable])
        else:
            self.code.call(f"{self.names.shape(container)}.demand_key", [variable])

    def _whole(self, shape: Shape, variable: str, depth: int) -> None:
        self.guard(value_shape(shape), variable, present=refuses_null(shape))
        self.below(shape, variable, depth + 1)

    def members(self, members: Iterable[Member]) -> None:
        """Looks at members of the struct `obj`."""
        for member in members:
            if suspect(member.shape, "v", self.names):
                with self.code.block(f"if {literal(member.json)} in obj:"):
                    self.code.add(f"v = obj[{literal(member.json)}]")
                    self._whole(member.shape, "v", 0)

    def function(self, name: str, members: Iterable[Member]) -> list[str]:
        """Returns the function that looks at all members of a struct without rules."""
        self.code.call(f"def typed_{name}", ["obj: dict[str, Any]"], " -> None:")
        with self.code.block():
            start = len(self.code.lines)
            self.members(members)
            if len(self.code.lines) == start:
                self.code.add("pass")
        return self.code.lines


def is_deep(shape: Shape) -> bool:
    """Returns whether a value can have children."""
    shape = value_shape(shape)
    return isinstance(shape, StructRef | MapOf) or (isinstance(shape, ListOf) and not shape.packed)


#: The forms that are always a text.
_TEXTS = {"time", "microtime", "gotime", "duration"}
_EXACT_CLASSES = {
    "bool": ("bool",),
    "float32": ("float", "int"),
    "float64": ("float", "int"),
    "intorstring": ("str", "int"),
}


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
    own = [id for id, members in structs.items() if any(_is_confusable(innermost(each.shape)) for each in members)]
    return add_holders(structs, own)


def add_holders(structs: Mapping[str, tuple[Member, ...]], ids: Iterable[str]) -> frozenset[str]:
    """Returns the given structs and every struct that contains one of them."""
    holders: dict[str, list[str]] = {}
    for id, members in structs.items():
        for member in members:
            struct = innermost(member.shape)
            if isinstance(struct, StructRef):
                holders.setdefault(struct.id, []).append(id)
    waiting = list(ids)
    found = set(waiting)
    while waiting:
        new = set(holders.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(found)


def innermost(shape: Shape) -> Shape:
    while isinstance(shape, PointerTo | MapOf) or (isinstance(shape, ListOf) and not shape.packed):
        shape = shape.elem
    return shape


@dataclass(slots=True)
class ExactWalk:
    """Writes functions that tell `1`, `1.0` and `True` apart, which Python regards as equal.

    An update first compares a value with the old one. If they are equal, and the old one is well-typed, texts are the
    same; these functions compare numbers, booleans, and values of variable type.
    """

    names: Names
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
            case Scalar(go=kind) | Wire(form=kind) if kind in _EXACT_CLASSES or isinstance(shape, Scalar):
                classes = _EXACT_CLASSES.get(kind, ("int",))
                self._unless(" and ".join([*(f"{v}.__class__ is not {name}" for name in classes), f"{v} is not None"]))
            case _:
                self._unless(f"{v}.__class__ is not str and not {self.names.shape(shape)}.exact({v})")

    def _unless(self, condition: str) -> None:
        self.code.condition(condition)
        with self.code.block():
            self.code.add("return False")
