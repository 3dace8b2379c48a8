"""One generated module: the validators of an API package, with the constants that they use."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from validation_gen.emit.python.constants import Constants, ExactWalk, capital, to_word
from validation_gen.emit.python.fastpath import TableEmitter
from validation_gen.emit.python.functions import FunctionEmitter
from validation_gen.emit.python.quickconditions import is_same_on_update
from validation_gen.emit.python.value_ref import Trace, TypeWalk
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
    Predicate,
    Program,
    Scalar,
    Selector,
    Shape,
    StructRef,
    TypePlan,
    Wire,
    plain_predicates,
    predicates,
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
#: A count of items that is longer has a function, as it would break lines.
_LONG_COUNT = 54
_WIRES = {"intorstring": "INT_OR_STRING"}
_TAG_NAME = re.compile(r"\+k8s:([A-Za-z]+)")
_FORMAT = re.compile(r'check\.KNOWN\["(.+)"\]')


@dataclass(slots=True)
class ModuleEmitter:
    """Collects the contents of one module while its functions are written. It implements `Names` for them."""

    package: str
    module: tuple[str, ...]
    program: Program
    modules: dict[str, tuple[str, ...]]
    #: The structs that hold more than texts.
    confusable: frozenset[str] = frozenset()
    #: The structs whose values can be instances of Python classes.
    classes: frozenset[str] = frozenset()
    #: Structs with checks, and those that contain them.
    holding: frozenset[str] = frozenset()
    #: The types of the package that get validators.
    plans: Sequence[TypePlan] = ()
    quiet: dict[str, bool] = field(default_factory=dict)
    trace: Trace | None = None
    imports: set[str] = field(default_factory=set)
    foreign: dict[str, str] = field(default_factory=dict)
    custom: set[CustomFunction] = field(default_factory=set)
    constants: Constants = field(default_factory=Constants)
    #: The name of the type whose functions are being written.
    here: str = ""
    _by_values: dict[object, str] = field(default_factory=dict)

    # --- interface of functions -----------------------------------------------------------------------------------

    def rule(self, check: Check, shape: Shape) -> str:
        scalar = value_shape(shape)
        if isinstance(scalar, ListOf):
            scalar = value_shape(scalar.elem)  # errors about a list show its items
        options = [f"level={literal(check.level)}"] if check.level else []
        options += ["short_circuit=True"] if check.short_circuit else []
        options += ["json_string=True"] if isinstance(scalar, Scalar) and scalar.named else []
        tag = check.tag
        if not tag.text:
            self.imports.add("Rule")
            return self.constants.shared("_untagged", "Rule", ['""', '""', *options])
        package, _, type = tag.type.rpartition(".")
        source = f"{type}.{tag.member}" if tag.member else type
        name = "_".join(filter(None, ("", type, tag.member, *_TAG_NAME.findall(tag.text))))
        more = tag.text.partition("=")[0].partition("(")[2]
        if package == self.package:
            arguments = [literal(source), literal(tag.text), *options]
            return self.constants.local(type, f"_{name}", "RULES.of", arguments, more)
        self.imports.add("Rule")
        arguments = [literal(tag.text), literal(source), literal(package), *options]
        return self.constants.local(self.here, f"_{name}", "Rule", arguments, more)

    def expression(self, shape: Shape) -> str:
        """Returns a shape spelled out."""
        match shape:
            case Scalar(go=go):
                return f"shapes.{_SCALARS[go]}"
            case Wire(opaque=True):
                return "shapes.OPAQUE"
            case Wire(form="quantity") if self.program.server is not None:
                return "shapes.EXACT_QUANTITY"
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
        return f"{self._find_prefix(package)}{name}Shape"

    def shape(self, shape: Shape) -> str:
        """Returns a name for a shape: composed ones are built once."""
        expression = self.expression(shape)
        if "(" not in expression:
            return expression
        head, _, rest = expression.partition("(")
        return self.constants.shared(f"_{to_word(expression)}", head, [rest[:-1]])

    def items(self, match: Match, elem: Shape) -> str:
        shape = self.shape(elem)
        name = f"_{to_word(self.expression(elem))}By"
        if isinstance(match, ByKeys):
            self.imports.add("KeyedItems")
            arguments = [shape, *(literal((k.json, k.zero)) for k in match.keys)]
            return self.constants.shared(name + "".join(capital(k.json) for k in match.keys), "KeyedItems", arguments)
        self.imports.add("WholeItems")
        return self.constants.shared(f"{name}Value", "WholeItems", [shape])

    def make_items_constant(self, test: Predicate) -> str:
        match = next(operand for operand in test.operands if isinstance(operand, ByKeys | ByValue))
        assert test.shape is not None
        return self.items(match, test.shape)

    def distinct_items(self, test: Predicate, value: str) -> str:
        match = next(operand for operand in test.operands if isinstance(operand, ByKeys | ByValue))
        if isinstance(test.shape, Scalar):
            return f"len({{item or {literal(test.shape.zero)} for item in {value}}})"
        if isinstance(match, ByValue) or isinstance(test.shape, PointerTo):
            return f"{self.make_items_constant(test)}.distinct({value})"
        key = match.keys[0]
        zero = "" if key.zero is None else f" or {literal(key.zero)}"
        spelt_out = f"len({{item.get({literal(key.json)}){zero} for item in {value}}})"
        if len(match.keys) > 1 or len(spelt_out) > _LONG_COUNT:
            return f"{self.make_items_constant(test)}.distinct({value})"
        return spelt_out

    def selector(self, selector: Selector) -> str:
        self.imports.add("Selector")
        name = "_".join(f"{term.json}_{term.value}" for term in selector)
        terms = [literal((term.json, term.value, term.zero)) for term in selector]
        return self.constants.shared(f"_where_{name}", "Selector", terms)

    def membership(self, union: Membership, shape: Shape) -> str:
        first = union.participants[0].name
        name = self._of_members(union.kind.value, first, "members")
        selectors = [m.presence.selector for m in union.participants if isinstance(m.presence, ItemPresence)]
        if selectors:
            self.imports.add("PresentItems")
            items = value_shape(shape)
            pointers = isinstance(items, ListOf) and isinstance(items.elem, PointerTo)
            arguments = [*map(self.selector, selectors), f"pointers={pointers}"]
            return self.constants.local(self.here, name, "PresentItems", arguments, first)
        self.imports.add("SetMembers")
        pairs = [
            (m.presence.json, m.presence.pointer) for m in union.participants if isinstance(m.presence, MemberPresence)
        ]
        return self.constants.local(self.here, name, "SetMembers", [literal(pair) for pair in pairs], first)

    def operand(self, check: str, value: object) -> str:
        if isinstance(value, CustomFunction):
            self.custom.add(value)
            return value.name
        if not isinstance(value, tuple):
            return literal(value)
        if check == "enum":
            package, _, type = self._enums.get(value, "").rpartition(".")
            home = type if package == self.package else self.here
            return self.constants.local(home, f"_{type}_values", "check.one_of", [literal(v) for v in value])
        first = str(value[0][0] if value and isinstance(value[0], tuple) else next(iter(value), ""))
        return self.constants.local(
            self.here, self._of_members(check, first, "names"), "", [literal(v) for v in value], first
        )

    def _of_members(self, rule: str, first: str, what: str) -> str:
        """Returns the name of a constant about members, or about items of a list; the list's name is a part of it."""
        listed, bracket, _ = first.partition("[")
        return "_".join(["", self.here, *([listed] if bracket else []), rule, what])

    def function(self, mode: str, type: str) -> str:
        package, _, name = type.rpartition(".")
        return f"{self._find_prefix(package)}{mode}_{name}"

    def plan(self, type: str) -> TypePlan:
        return self.program.types[type]

    def checks_something(self, type: str) -> bool:
        return self._is_validated(type)

    def make_known_constant(self, expression: str) -> str:
        format = _FORMAT.fullmatch(expression)
        subject = format[1].removeprefix("k8s-") if format else to_word(expression.removesuffix(".known")).lower()
        return self.constants.shared(f"_known_{subject}", "", [expression])

    def members(self, struct: StructRef) -> tuple[Member, ...]:
        return self.program.structs[struct.id]

    def typed(self, struct: StructRef) -> str:
        package, _, name = struct.id.rpartition(".")
        if self._is_validated(struct.id):
            return f"{self.shape(struct)}.demand"
        return f"{self._find_prefix(package)}typed_{name}"

    def exact(self, struct: StructRef) -> str:
        package, _, name = struct.id.rpartition(".")
        return f"{self._find_prefix(package)}exact_{name}" if struct.id in self.confusable else ""

    def _is_validated(self, struct: str) -> bool:
        return self.program.checks_something(struct) and self.program.is_sound(struct)

    def struct_names(self, shape: Shape) -> str:
        struct = value_shape(shape)
        assert isinstance(struct, StructRef)
        return f"{self.expression(struct)}.members"

    # --- the module -------------------------------------------------------------------------------------------------

    @property
    def _enums(self) -> dict[object, str]:
        """The types of enums by the values that they allow."""
        if not self._by_values:
            for id, plan in sorted(self.program.types.items(), reverse=True):
                for test in plain_predicates(plan.checks):
                    if test.record is predicates.ENUM:
                        self._by_values[test.operands[0]] = id
        return self._by_values

    def _find_prefix(self, package: str) -> str:
        """Returns the prefix of names from another package's module, empty for our own."""
        if package == self.package:
            return ""
        if package not in self.foreign:
            self.foreign[package] = "_".join(self.modules[package])
        return f"{self.foreign[package]}."

    def blocks(self, structs: Collection[str], aliases: Mapping[str, TypePlan]) -> list[list[str]]:
        """Returns the code of each type in the order of their names: its shape, constants and functions.

        Each is a list of sections separated by two empty lines.
        """
        own = {id.rpartition(".")[2]: id for id in structs}
        plans = {plan.name: plan for plan in self.plans}
        names = sorted({*own, *plans})
        functions = {name: self._functions(name, plans.get(name), own.get(name, "")) for name in names}
        tables = {name: self._table(name, plan) for name, plan in plans.items()}
        found = []
        for name in sorted({*own, *plans, *aliases, *self.constants.homes}):
            lines = self._definition(own[name]) if name in own else []
            if name in aliases:
                code = Code()
                code.expression(f"SHAPES[{literal(name)}] = ", self.expression(aliases[name].shape))
                lines += code.lines
            lines += self.constants.find_lines(name)
            sections = [section for section in (lines, tables.get(name)) if section]
            sections += functions.get(name, [])
            if own.get(name) in self.confusable:
                code = Code()
                code.assign(f"{name}Shape.exact", f"exact_{name}")
                sections.append(code.lines)
            found.append([f"# --- {name}", "", *_apart(sections)])
        return found

    def _functions(self, name: str, plan: TypePlan | None, struct: str) -> list[list[str]]:
        """Returns the functions of a type: one each for create and update if it has checks, else one for both."""
        self.here = name
        found = []
        if plan is not None:
            modes = (False,) if is_same_on_update(plan) else (False, True)
            found += [FunctionEmitter(self, update).function(plan) for update in modes]
        if struct and not self._is_validated(struct):
            found.append(TypeWalk(self, Code()).function(name, self.program.structs[struct]))
        if struct in self.confusable:
            found.append(ExactWalk(self).function(name, self.program.structs[struct]))
        return found

    def _table(self, name: str, plan: TypePlan) -> list[str]:
        self.here = name
        return TableEmitter(self).lines(plan) if isinstance(plan.shape, StructRef) else []

    def struct_declarations(self, structs: Collection[str]) -> list[str]:
        code = Code()
        for name in (id.rpartition(".")[2] for id in structs):
            code.call(f"{name}Shape = shapes.Struct", [literal(name)])
        return code.lines

    def _definition(self, id: str) -> list[str]:
        members = self.program.structs[id]
        code = Code()
        omitted = [
            f"{option}={literal(' '.join(names))}"
            for option in ("omitempty", "omitzero")
            if (names := [m.json for m in members if m.omit == option])
        ]
        preserves = ["*"] if self.program.preserves_unknown(id) else []
        preserves += self.program.preserving_members(id)
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
                code.add("}," if omitted or preserves or id in self.classes else "}")
            else:
                code.add("{},")
            for option in omitted:
                code.add(f"{option},")
            if preserves:
                code.add(f"preserves={literal(' '.join(preserves))},")
            if id in self.classes:
                self._attributes(members, code)
        code.add(")")
        return code.lines

    def _attributes(self, members: tuple[Member, ...], code: Code) -> None:
        """Writes the attributes of the Python class whose names differ from JSON."""
        names = {m.json: m.attribute or attribute_name(m.json) for m in members}
        others = {json: attribute for json, attribute in names.items() if attribute != json}
        code.add("attributes={" if others else "attributes={},")
        if others:
            with code.block():
                for json, attribute in others.items():
                    code.add(f"{literal(json)}: {literal(attribute)},")
            code.add("},")


def _apart(sections: list[list[str]]) -> list[str]:
    """Returns the lines of sections, with two empty lines between them."""
    lines: list[str] = []
    for section in sections:
        lines += [*(["", ""] if lines else []), *section]
    return lines
