"""The JSON shape of Go types: the decoded form of a type, with embedded structs flattened."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from validation_gen.ir import ListOf, MapOf, Member, PointerTo, Scalar, Shape, StructRef, Wire
from validation_gen.sources.go.literals import json_tag
from validation_gen.sources.model import (
    Array,
    Builtin,
    Field,
    List,
    Map,
    Named,
    Pointer,
    TypeDecl,
    TypeExpr,
    Unsupported,
)
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.types.naming import is_json_name

_SCALARS = frozenset("string bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64".split())
_ANYTHING = Wire("any")
_UNKNOWN = Wire("any", opaque=True)


@dataclass(slots=True)
class Shapes:
    """Builds shapes and, for each struct met on the way, the table of its members."""

    types: TypeSystem
    structs: dict[str, tuple[Member, ...]] = field(default_factory=dict)
    #: Structs with further, unknown members, as they embed an unresolved type.
    extended: set[str] = field(default_factory=set)
    _open: list[TypeDecl] = field(default_factory=list)
    _known: dict[str, dict[str, tuple[Field, tuple[str, ...]]]] = field(default_factory=dict)
    #: Queue of structs without members: chains of structs may be longer than the stack.
    _waiting: list[Named] = field(default_factory=list)

    def build(self, type: TypeExpr) -> Shape:
        """Returns the shape of a type. Types without checkable JSON (interfaces, unknown types) may be anything."""
        shape = self._build(type)
        while self._waiting:
            struct = self._waiting.pop()
            self.structs[self.types.id(struct)] = self._members(struct)
            if embeds_unknown(self.types, struct):
                self.extended.add(self.types.id(struct))
        return shape

    def _build(self, type: TypeExpr) -> Shape:
        match type:
            case Builtin(name=name):
                return Scalar(name) if name in _SCALARS else _ANYTHING
            case Pointer(elem=elem):
                return PointerTo(self._build(elem))
            case List(elem=elem):
                return ListOf(self._build(elem), packed=self.types.native(elem) == Builtin("uint8"))
            case Array(elem=elem, count=count):
                return ListOf(self._build(elem), length=count)
            case Map(key=key, elem=elem):
                named = self._build(key) if isinstance(self.types.native(key), Builtin) else None
                return MapOf(self._build(elem), named if isinstance(named, Scalar) else Scalar("string"))
            case Named():
                return self._named(type)
        return _ANYTHING

    def _named(self, type: Named) -> Shape:
        declaration = self.types.declaration(type)
        if declaration is None:
            return _UNKNOWN
        if str(declaration) in self.structs:
            return StructRef(str(declaration))
        wire = self.types.wire(declaration)
        if wire is not None:
            return Wire(wire, str(declaration), opaque=wire == "any")
        if self.types.struct(type) is not None:
            struct = StructRef(str(declaration))
            self.structs[struct.id] = ()
            self._waiting.append(type)
            return struct
        if declaration in self._open:
            return _UNKNOWN  # a list or map of itself has no end to spell out
        self._open.append(declaration)
        shape = self._build(declaration.type)
        self._open.pop()
        if isinstance(shape, Scalar):
            return Scalar(shape.go, named=not declaration.alias, type=str(declaration))
        return _set_type(shape, str(declaration))

    def _members(self, type: TypeExpr) -> tuple[Member, ...]:
        return tuple(
            Member(
                find_json_name(self.types, f),
                self._build(f.type),
                f.omit,
                self._attribute(type, chain, f),
                f.quoted and self._is_quotable(f.type),
            )
            for f, chain in self._winners(type).values()
        )

    def _is_quotable(self, type: TypeExpr) -> bool:
        """Returns whether the option `string` has an effect: on numbers, booleans, texts, and on pointers to them."""
        return isinstance(self._build(type.elem if isinstance(type, Pointer) else type), Scalar)

    def _attribute(self, type: TypeExpr, chain: tuple[str, ...], member: Field) -> str:
        """Returns the path to a member in Python, with the attributes of inlined structs that are no base classes."""
        if not member.attribute:  # as in Go
            return ""
        names = []
        for go_name in chain:
            struct = self.types.struct(type)
            outer = next((f for f in struct.fields if f.go_name == go_name), None) if struct else None
            if outer is None:
                break
            names.append(outer.attribute)
            type = self.types.value(outer.type)
        return ".".join(filter(None, [*names, member.attribute]))

    def _winners(self, type: TypeExpr) -> dict[str, tuple[Field, tuple[str, ...]]]:
        """Returns the fields of a struct in JSON, cached for the structs that inline it."""
        id = self.types.id(type)
        if id not in self._known:
            self._known[id] = dominant(self.types, type)
        return self._known[id]

    def hidden(self, type: TypeExpr, inlined: Field) -> tuple[str, ...]:
        """JSON names that an inlined struct declares but that its surroundings take: the inlined member stays unset."""
        winners = self._winners(type)
        below = self._winners(self.types.value(inlined.type))
        return tuple(
            sorted(name for name in below if name not in winners or winners[name][1][:1] != (inlined.go_name,))
        )


def _set_type(shape: Shape, id: str) -> Shape:
    """Returns a shape with its type; a pointer passes it on to its target."""
    if isinstance(shape, PointerTo):
        return PointerTo(_set_type(shape.elem, id))
    return shape if isinstance(shape, StructRef) else replace(shape, type=id)


def is_flattened(types: TypeSystem, member: Field) -> bool:
    """Returns whether JSON has the members of an embedded struct in place of the struct."""
    return member.inline and member.embedded and types.struct(types.value(member.type)) is not None


def is_spread(types: TypeSystem, member: Field) -> bool:
    """Returns whether controller-gen inlines a named struct: its tag has the option `inline`, or no name."""
    if member.embedded or member.omitted or 'json:"' not in (member.tag or ""):
        return False
    return (member.inline or not json_tag(member.tag or "").name) and types.struct(types.value(member.type)) is not None


def is_unknown_inline(types: TypeSystem, member: Field) -> bool:
    """Returns whether an unresolved type is embedded: it may be a struct with members here."""
    if not (member.inline and member.embedded):
        return False
    inner = types.value(member.type)
    return isinstance(inner, Unsupported) or (isinstance(inner, Named) and types.declaration(inner) is None)


def embeds_unknown(types: TypeSystem, type: TypeExpr) -> bool:
    """Returns whether a struct, or one inlined in it, embeds an unresolved type."""
    seen: set[str] = set()
    waiting = [type]
    while waiting:
        struct = types.struct(waiting.pop())
        for member in struct.fields if struct else ():
            if is_unknown_inline(types, member):
                return True
            if is_flattened(types, member):
                inner = types.value(member.type)
                if types.id(inner) not in seen:
                    seen.add(types.id(inner))
                    waiting.append(inner)
    return False


def find_json_name(types: TypeSystem, member: Field) -> str:
    """Returns the JSON name of a field, `""` when it has none: `json:"-"`, or an inlined struct."""
    if member.omitted or is_flattened(types, member) or is_unknown_inline(types, member):
        return ""
    # encoding/json ignores a name with characters that it does not allow.
    return member.json if is_json_name(member.json) else member.go_name


def dominant(types: TypeSystem, type: TypeExpr) -> dict[str, tuple[Field, tuple[str, ...]]]:
    """Returns the fields of a struct in Go's JSON decoder by name, each with the inlined structs around it.

    Of several fields with one name the shallowest wins, then the one with a name in its tag; if that is not unique,
    none. A struct is visited once, on its shallowest level. If it is inlined twice on that level, each of its own
    fields is ambiguous, but not those of structs that it inlines. The order is that of encoding/json: as declared, with
    inlined structs in their place.
    """
    candidates: dict[str, list[_Candidate]] = {}
    level: dict[str, _Candidate] = {types.id(type): _Candidate(type, None, (), ())}
    seen = set(level)
    while level:
        found: dict[str, list[_Candidate]] = defaultdict(list)
        following: dict[str, _Candidate] = {}
        for outer in level.values():
            struct = types.struct(outer.type)
            for i, member in enumerate(struct.decoded() if struct else ()):
                index = (*outer.index, i)
                if not member.exported and types.struct(types.value(member.type)) is None:
                    continue
                if is_flattened(types, member):
                    inner = types.value(member.type)
                    if (id := types.id(inner)) not in seen:
                        chain = (*outer.chain, member.go_name)
                        following[id] = replace(
                            following.get(id, _Candidate(inner, None, chain, index)), twice=id in following
                        )
                elif not (member.omitted or is_unknown_inline(types, member)):
                    fields = [_Candidate(outer.type, member, outer.chain, index)] * (2 if outer.twice else 1)
                    found[find_json_name(types, member)] += fields
        for name, members in found.items():
            candidates.setdefault(name, members)
        seen |= following.keys()
        level = following
    winners = [(name, winner) for name, members in candidates.items() if (winner := _winner(members)) is not None]
    winners.sort(key=lambda item: item[1].index)
    return {name: (winner.field, winner.chain) for name, winner in winners if winner.field is not None}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A field, or an inlined struct that is not visited yet, with its position in the outermost struct."""

    type: TypeExpr
    field: Field | None
    chain: tuple[str, ...]
    index: tuple[int, ...]
    twice: bool = False


def _winner(candidates: list[_Candidate]) -> _Candidate | None:
    if len(candidates) == 1:
        return candidates[0]
    tagged = [c for c in candidates if c.field is not None and _is_tagged(c.field)]
    return tagged[0] if len(tagged) == 1 else None


def _is_tagged(member: Field) -> bool:
    """Returns whether the tag of a field has its JSON name, even if it equals the Go name."""
    if member.json == member.go_name:
        return f'json:"{member.json}' in (member.tag or "")
    return is_json_name(member.json)
