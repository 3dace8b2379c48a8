"""One generated module: the validators of an API package, with the constants that they use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from validation_gen.emit.exact import ExactWalk
from validation_gen.emit.functions import FunctionEmitter
from validation_gen.emit.guards import TypeWalk
from validation_gen.emit.text import Code, literal
from validation_gen.ir import (
    ByKeys,
    ByValue,
    Check,
    CustomFunction,
    ItemPresence,
    ListOf,
    MapOf,
    Match,
    Member,
    MemberPresence,
    Membership,
    PointerTo,
    Program,
    Scalar,
    Selector,
    Shape,
    StructRef,
    Test,
    TypePlan,
    Wire,
    value_shape,
)
from validation_gen.types.naming import attribute_name

_SCALARS = {
    "string": "STRING",
    "bool": "BOOL",
    "float32": "FLOAT",
    "float64": "FLOAT",
    "int": "INT64",
    "uint": "UINT64",
} | {f"{sign}int{n}": f"{sign}int{n}".upper() for sign in ("", "u") for n in (8, 16, 32, 64)}
_LONG_NAME = 18
#: A count of items that is longer has a function, as it would break lines.
_LONG_COUNT = 54
_WIRES = {"intorstring": "INT_OR_STRING"}


@dataclass(slots=True)
class ModuleEmitter:
    """Collects what one module needs while its functions are written. It is the `Names` of those functions."""

    package: str
    module: tuple[str, ...]
    program: Program
    modules: dict[str, tuple[str, ...]]
    #: The structs that hold more than texts.
    confusable: frozenset[str] = frozenset()
    #: The structs whose values can be instances of Python classes.
    classes: frozenset[str] = frozenset()
    #: The types of the package that get validators.
    plans: Sequence[TypePlan] = ()
    quiet: dict[str, bool] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    foreign: dict[str, str] = field(default_factory=dict)
    custom: set[CustomFunction] = field(default_factory=set)
    _constants: dict[str, str] = field(default_factory=dict)
    _blocks: list[list[str]] = field(default_factory=list)
    _counts: dict[str, int] = field(default_factory=dict)

    # --- what functions ask for -------------------------------------------------------------------------------------

    def rule(self, check: Check, shape: Shape) -> str:
        scalar = value_shape(shape)
        if isinstance(scalar, ListOf):
            scalar = value_shape(scalar.elem)  # errors about a list show its items
        options = [f"level={literal(check.level)}"] if check.level else []
        options += ["short_circuit=True"] if check.short_circuit else []
        options += ["json_string=True"] if isinstance(scalar, Scalar) and scalar.named else []
        source = self.program.source(check.tag.span) if check.tag.text else ""
        return self._constant("R", "Rule", [literal(check.tag.text), literal(source), *options])

    def expression(self, shape: Shape) -> str:
        """A shape spelled out."""
        match shape:
            case Scalar(go=go):
                return f"shapes.{_SCALARS[go]}"
            case Wire(opaque=True):
                return "shapes.OPAQUE"
            case Wire(form=form):
                return f"shapes.{_WIRES.get(form, form.upper())}"
            case PointerTo(elem=elem):
                return f"shapes.Pointer({self.expression(elem)})"
            case ListOf(packed=True):
                return "shapes.BYTES"
            case ListOf(elem=elem, length=int(length)):
                return f"shapes.ArrayOf({self.expression(elem)}, {length})"
            case ListOf(elem=elem):
                return f"shapes.ListOf({self.expression(elem)})"
            case MapOf(elem=elem, key=key):
                named = "" if key.go == "string" else f", {self.expression(key)}"
                return f"shapes.MapOf({self.expression(elem)}{named})"
        package, _, name = shape.id.rpartition(".")
        return f"{self._of(package)}{name}Shape"

    def shape(self, shape: Shape) -> str:
        """A name for a shape: composed ones are built once."""
        expression = self.expression(shape)
        if "(" in expression:
            head, _, rest = expression.partition("(")
            return self._constant("Shape", head, [rest[:-1]])
        # A long name would break lines where it is used, in ways that only a formatter can foresee.
        return expression if len(expression) <= _LONG_NAME else self._constant("Shape", "", [expression])

    def items(self, match: Match, elem: Shape) -> str:
        shape = self.shape(elem)
        if isinstance(match, ByKeys):
            return self._constant("Items", "KeyedItems", [shape, *(literal((k.json, k.zero)) for k in match.keys)])
        return self._constant("Items", "WholeItems", [shape])

    def items_of(self, test: Test) -> str:
        match = next(operand for operand in test.operands if isinstance(operand, ByKeys | ByValue))
        assert test.shape is not None
        return self.items(match, test.shape)

    def distinct_items(self, test: Test, value: str) -> str:
        match = next(operand for operand in test.operands if isinstance(operand, ByKeys | ByValue))
        if isinstance(test.shape, Scalar):
            return f"len({{item or {literal(test.shape.zero)} for item in {value}}})"
        if isinstance(match, ByValue) or isinstance(test.shape, PointerTo):
            return f"{self.items_of(test)}.distinct({value})"
        key = match.keys[0]
        zero = "" if key.zero is None else f" or {literal(key.zero)}"
        spelt_out = f"len({{item.get({literal(key.json)}){zero} for item in {value}}})"
        if len(match.keys) > 1 or len(spelt_out) > _LONG_COUNT:
            return f"{self.items_of(test)}.distinct({value})"
        return spelt_out

    def selector(self, selector: Selector) -> str:
        return self._constant("Selector", "Selector", [literal((t.json, t.value, t.zero)) for t in selector])

    def membership(self, union: Membership, shape: Shape) -> str:
        selectors = [m.presence.selector for m in union.participants if isinstance(m.presence, ItemPresence)]
        if selectors:
            items = value_shape(shape)
            pointers = isinstance(items, ListOf) and isinstance(items.elem, PointerTo)
            return self._constant("Members", "PresentItems", [*map(self.selector, selectors), f"pointers={pointers}"])
        pairs = [
            (m.presence.json, m.presence.pointer) for m in union.participants if isinstance(m.presence, MemberPresence)
        ]
        return self._constant("Members", "SetMembers", [literal(pair) for pair in pairs])

    def operand(self, check: str, value: object) -> str:
        if isinstance(value, CustomFunction):
            self.custom.add(value)
            return value.name
        if isinstance(value, tuple):
            if check == "enum":
                return self._constant("Values", "check.one_of", [literal(v) for v in value])
            return self._constant("Names", "", [literal(v) for v in value])
        return literal(value)

    def function(self, mode: str, type: str) -> str:
        package, _, name = type.rpartition(".")
        return f"{self._of(package)}{mode}_{name}"

    def plan(self, type: str) -> TypePlan:
        return self.program.types[type]

    def known(self, expression: str) -> str:
        return self._constant("Known", "", [expression])

    def members(self, struct: StructRef) -> tuple[Member, ...]:
        return self.program.structs[struct.id]

    def typed(self, struct: StructRef) -> str:
        package, _, name = struct.id.rpartition(".")
        if self._is_validated(struct.id):
            return f"{self.shape(struct)}.demand"
        return f"{self._of(package)}typed_{name}"

    def exact(self, struct: StructRef) -> str:
        package, _, name = struct.id.rpartition(".")
        return f"{self._of(package)}exact_{name}" if struct.id in self.confusable else ""

    def _is_validated(self, struct: str) -> bool:
        return self.program.checks_something(struct) and self.program.is_sound(struct)

    def struct_names(self, shape: Shape) -> str:
        struct = value_shape(shape)
        assert isinstance(struct, StructRef)
        return f"{self.expression(struct)}.members"

    # --- constants --------------------------------------------------------------------------------------------------

    def _constant(self, prefix: str, head: str, args: list[str]) -> str:
        """The name of a constant `head(args)`; equal ones are shared."""
        if head.isidentifier():
            self.imports.add(head)
        key = f"{head}({', '.join(args)})"
        if key not in self._constants:
            self._counts[prefix] = self._counts.get(prefix, 0) + 1
            name = f"_{prefix}{self._counts[prefix]}"
            self._constants[key] = name
            code = Code()
            if head:
                code.call(f"{name} = {head}", args)
            elif prefix == "Names":
                code.tuple(f"{name} = ", args)
            else:
                code.add(f"{name} = {args[0]}")
            self._blocks.append(code.lines)
        return self._constants[key]

    def _of(self, package: str) -> str:
        """The prefix of names from another package's module, empty for our own."""
        if package == self.package:
            return ""
        if package not in self.foreign:
            self.foreign[package] = "_".join(self.modules[package])
        return f"{self.foreign[package]}."

    # --- the module -------------------------------------------------------------------------------------------------

    def functions(self, structs: list[str]) -> list[list[str]]:
        """The functions of all types: create and update of those with checks, one for both of other structs."""
        checked = [
            FunctionEmitter(self, update).function(plan)
            for plan in sorted(self.plans, key=lambda p: (p.span, p.name))
            for update in (False, True)
        ]
        typed = [
            TypeWalk(self, Code()).function(id.rpartition(".")[2], self.program.structs[id])
            for id in structs
            if not self._is_validated(id)
        ]
        exact = [
            ExactWalk(self).function(id.rpartition(".")[2], self.program.structs[id])
            for id in structs
            if id in self.confusable
        ]
        return checked + typed + exact

    def registrations(self, structs: list[str]) -> list[str]:
        """The lines that tell shapes their functions."""
        code = Code()
        for name in (id.rpartition(".")[2] for id in structs if id in self.confusable):
            code.assign(f"{name}Shape.exact", f"exact_{name}")
        return code.lines

    def struct_declarations(self, structs: list[str]) -> list[str]:
        code = Code()
        for name in (id.rpartition(".")[2] for id in structs):
            code.call(f"{name}Shape = shapes.Struct", [literal(name)])
        return code.lines

    def struct_definitions(self, structs: list[str]) -> list[list[str]]:
        """Writes what the structs hold, after all of them are declared, because they mention each other."""
        return [self._definition(id) for id in structs]

    def _definition(self, id: str) -> list[str]:
        members = self.program.structs[id]
        code = Code()
        omitted = [
            f"{option}={literal(' '.join(names))}"
            for option in ("omitempty", "omitzero")
            if (names := [m.json for m in members if m.omit == option])
        ]
        code.add(f"{id.rpartition('.')[2]}Shape.define(")
        with code.block():
            if members:
                code.add("{")
                with code.block():
                    for member in members:
                        shape = self.expression(member.shape)
                        if member.quoted:
                            shape = f"shapes.Quoted({shape})"
                        code.expression(f"{literal(member.json)}: ", shape, ",")
                code.add("}," if omitted or id in self.classes else "}")
            else:
                code.add("{},")
            for option in omitted:
                code.add(f"{option},")
            if id in self.classes:
                self._attributes(members, code)
        code.add(")")
        return code.lines

    def _attributes(self, members: tuple[Member, ...], code: Code) -> None:
        """Where instances of the Python class have what JSON has under another name."""
        names = {m.json: m.attribute or attribute_name(m.json) for m in members}
        others = {json: attribute for json, attribute in names.items() if attribute != json}
        code.add("attributes={" if others else "attributes={},")
        if others:
            with code.block():
                for json, attribute in others.items():
                    code.add(f"{literal(json)}: {literal(attribute)},")
            code.add("},")

    def alias_table(self, plans: dict[str, TypePlan]) -> list[str]:
        """The shapes of types that are no structs."""
        code = Code()
        code.add("SHAPES: dict[str, shapes.Shape] = {")
        with code.block():
            for name, plan in sorted(plans.items()):
                code.expression(f"{literal(name)}: ", self.expression(plan.shape), ",")
        code.add("}")
        return code.lines

    def constants(self) -> list[list[str]]:
        return self._blocks
