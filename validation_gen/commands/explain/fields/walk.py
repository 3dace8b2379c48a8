"""Walks from a type to a field, and collects all rules that apply there.

The order is that of the validators: rules on parents come first, then the rules of the field, then those of its type,
then those of its children. The only texts made here are descriptions of carriers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from validation_gen.commands.explain.fields.address import AddressError, Step, closest, either
from validation_gen.commands.explain.fields.rules import Applied, applied, in_element, in_member, mentions
from validation_gen.ir import (
    CallType,
    FieldPlan,
    ListOf,
    MapOf,
    PointerTo,
    Program,
    Scalar,
    Shape,
    StructRef,
    TypePlan,
    Wire,
    value_shape,
)
from validation_gen.ir.traverse import flatten


@dataclass(slots=True)
class FieldValue:
    """A value: its path, its shape, and the rules that apply to it or to its parts, in their order.

    `above` are the rules of parents whose failure stops its validation. `around` are rules of the surrounding struct
    that check its presence. `notes` are explanations of validation that does not happen here.
    """

    path: str
    json: str
    shape: Shape
    carried: list[Applied] = field(default_factory=list)
    above: list[Applied] = field(default_factory=list)
    around: list[Applied] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    declared: FieldPlan | None = None

    @property
    def rules(self) -> list[Applied]:
        """The rules of the value. Those of its modes are one; each applies to a member."""
        return [rule for rule in self.carried if not rule.carried.is_of_mode]

    @property
    def stopping(self) -> list[Applied]:
        """The rules that can stop the validation of its parts."""
        return [rule for rule in self.rules if rule.stops_parts]


def go_to(program: Program, plan: TypePlan, steps: Sequence[Step]) -> FieldValue:
    """Returns the value at the end of some steps.

    Raises:
        AddressError: there is no such field.
    """
    walk = _Walk(program)
    spot = FieldValue(plan.name, "", plan.shape)
    spot.carried = list(walk.of_type(plan.id, plan.name, ()))
    for step in steps:
        spot = walk.member(spot, step) if step.name else walk.element(spot, step)
    return spot


@dataclass(frozen=True, slots=True)
class InsideRule:
    """A rule inside of a type: the path of its carrier, the tag, and its location.

    For a repeated type, `tag` refers to the list of its rules, and `source` is empty.
    """

    path: str
    tag: str
    source: str


def inside(program: Program, spot: FieldValue) -> Iterator[InsideRule]:
    """Yields the rules of all children of a value. Each type is expanded once; later uses refer to the first path."""
    walk, known, left = _Walk(program), dict[str, str](), [spot]
    while left:
        part = left.pop()
        if part is not spot:
            # Rules written on parents, such as +k8s:eachVal, are listed there.
            own = [rule for rule in part.rules if rule.check.tag.text and not rule.through]
            yield from (InsideRule(part.path, rule.tag, str(rule.check.tag.span)) for rule in own)
        if part.declared is not None and part.declared.opaque:
            continue  # the rules of its type do not count
        shape = value_shape(part.shape)
        if isinstance(shape, StructRef):
            if shape.id in known and program.structs.get(shape.id):
                yield InsideRule(part.path, f"(as in {known[shape.id]})", "")
                continue
            known[shape.id] = part.path
        left += reversed(walk.parts(part))


def shape_text(shape: Shape) -> str:
    """Returns a type as Go writes it, without packages."""
    match shape:
        case PointerTo(elem=elem):
            return f"*{shape_text(elem)}"
        case StructRef(id=id):
            return id.rpartition(".")[2]
        case Scalar(type=type) | Wire(type=type) | ListOf(type=type) | MapOf(type=type) if type:
            return type.rpartition(".")[2]
        case Scalar(go=go):
            return go
        case Wire(form=form):
            return form
        case ListOf(elem=elem, length=int(length)):
            return f"[{length}]{shape_text(elem)}"
        case ListOf(elem=elem, packed=packed):
            return "[]byte" if packed else f"[]{shape_text(elem)}"
        case MapOf(elem=elem, key=key):
            return f"map[{shape_text(key)}]{shape_text(elem)}"


#: The declaration of a field, its shape, and the inlined structs on the way to it.
_Found = tuple[FieldPlan | None, Shape, Sequence[FieldPlan]]


@dataclass(frozen=True, slots=True)
class _Walk:
    program: Program
    fields: dict[str, dict[str, _Found]] = field(default_factory=dict)

    # --- steps --------------------------------------------------------------------------------------------------------

    def member(self, spot: FieldValue, step: Step) -> FieldValue:
        struct = value_shape(spot.shape)
        if not isinstance(struct, StructRef):
            kind = "list: write [*] first" if isinstance(struct, ListOf) else "map: write [*] first"
            help = kind if isinstance(struct, ListOf | MapOf) else "it has no parts"
            raise AddressError(f"{spot.path} is a {shape_text(spot.shape)} and has no field {step.name}", help)
        found = self._fields(struct.id).get(step.name)
        if found is None:
            names = [member.json for member in self.program.structs.get(struct.id, ())]
            near = closest(step.name, names) or closest(step.name, self._fields(struct.id))
            others = f"it has {', '.join(names[:8])}{' …' if len(names) > 8 else ''}" if names else "it has none"
            help = f"did you mean {either(near)}?" if near else others
            raise AddressError(f"{struct.id.rpartition('.')[2]} has no field {step.name}", help)
        declared, shape, way = found
        json = declared.json if declared else step.name
        path = f"{spot.path}.{json}" if json else spot.path
        new = FieldValue(path, f"{spot.json}.{json}".strip(".") if json else spot.json, shape, declared=declared)
        new.above = [*spot.above, *spot.stopping]
        enclosing = spot.carried
        for outer in way:  # inlined structs: their own rules are about the same object
            on = f"the inlined {outer.go_name}"
            enclosing = [*in_member(enclosing, outer.json), *enclosing]
            own = list(applied(outer, on, spot.path, calls_on=f"the field {outer.json}"))
            enclosing = [*enclosing, *self._expanded(own, spot.path)]
            new.above += [rule for rule in own if rule.stops and not (rule.check.cohort or rule.carried.is_of_mode)]
        new.around = list(mentions(enclosing, json))
        new.carried = list(in_member(enclosing, json)) if json else []
        if declared is None:
            return new
        owner = way[-1].go_name if way else struct.id.rpartition(".")[2]
        on, calls_on = f"the field {owner}.{json or declared.go_name}", f"the field {declared.json}"
        new.carried += self._expanded(applied(declared, on, path, calls_on=calls_on), path)
        if declared.opaque:
            new.notes.append(f"+k8s:opaqueType: the rules of {shape_text(value_shape(shape))} do not count here")
        return new

    def element(self, spot: FieldValue, step: Step) -> FieldValue:
        container = value_shape(spot.shape)
        if not isinstance(container, ListOf | MapOf):
            raise AddressError(f"{spot.path} is a {shape_text(spot.shape)}, and no list or map", f"leave {step} away")
        chosen = step.terms if isinstance(container, ListOf) else {}
        item = value_shape(container.elem)
        known = {m.json for m in self.program.structs.get(item.id, ())} if isinstance(item, StructRef) else None
        for name in chosen:
            if known is not None and name not in known:
                near = closest(name, known)
                help = f"did you mean {either(near)}?" if near else ""
                raise AddressError(f"items of {spot.path} have no key {name}", help)
        new = FieldValue(f"{spot.path}{step}", f"{spot.json}[*]", container.elem, declared=spot.declared)
        new.above = [*spot.above, *spot.stopping]
        new.carried = list(self._expanded(in_element(spot.carried, chosen), new.path))
        return new

    def parts(self, spot: FieldValue) -> list[FieldValue]:
        """Returns the children of a value: the fields of a struct, an item of a list or map."""
        shape = value_shape(spot.shape)
        if isinstance(shape, ListOf | MapOf):
            return [self.element(spot, Step(inside="*"))]
        if not isinstance(shape, StructRef):
            return []
        names = dict.fromkeys(member.json for member in self.program.structs.get(shape.id, ()) if member.json)
        return [self.member(spot, Step(name)) for name in names]

    # --- rules --------------------------------------------------------------------------------------------------------

    def of_type(self, id: str, path: str, stopped: tuple[str, ...]) -> Iterator[Applied]:
        """Yields the rules of a declared type, and the calls for its keys and values."""
        plan = self.program.types.get(id)
        if plan is not None:
            yield from applied(plan, f"the type {plan.name}", path, stopped)

    def _expanded(self, rules: Iterable[Applied], path: str) -> Iterator[Applied]:
        """Yields rules of a value, and all rules of a type instead of its call."""
        for rule in rules:
            if isinstance(rule.operation, CallType) and rule.is_here:
                for each in self.of_type(rule.operation.type, path, rule.stopped_by):
                    yield replace(each, conditions=(*rule.conditions, *each.conditions))
            else:
                yield rule

    # --- declarations -------------------------------------------------------------------------------------------------

    def _fields(self, struct: str) -> dict[str, _Found]:
        """Returns the fields of a struct by their JSON names, or else by their Go names, the first of each name."""
        if struct not in self.fields:
            declared: list[_Found] = [(plan, plan.shape, way) for _, plan, way in flatten(self.program, struct)]
            found = self.fields.setdefault(struct, {})
            for name in ("json", "go_name"):
                for each in declared:
                    found.setdefault(getattr(each[0], name), each)
            for member in self.program.structs.get(struct, ()):
                found.setdefault(member.json, (None, member.shape, ()))
        return self.fields[struct]
