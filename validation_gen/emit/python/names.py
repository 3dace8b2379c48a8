"""Names in generated code: of constants, shapes, rules and functions, as one module refers to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from validation_gen.emit.python.constants import Constants, capital, to_word
from validation_gen.emit.text import literal
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
    Operation,
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
class Trace:
    """Operations of traced code by number. It reports each check to its `op`, and has no shortcuts past checks."""

    operations: list[Operation] = field(default_factory=list)

    def number(self, operation: Operation) -> int:
        self.operations.append(operation)
        return len(self.operations) - 1


@dataclass(slots=True)
class Names:
    """Interface of function bodies to their module: makes its constants and notes its imports."""

    package: str
    program: Program
    #: The module of each package, by its import path.
    modules: dict[str, tuple[str, ...]]
    #: The structs that hold more than texts.
    confusable: frozenset[str] = frozenset()
    #: Structs with checks, and those that contain them.
    holding: frozenset[str] = frozenset()
    #: Structs with a cached result: whether checks accept their zero values.
    quiet: dict[str, bool] = field(default_factory=dict)
    #: The operations of traced code; `None` for usual code.
    trace: Trace | None = None
    imports: set[str] = field(default_factory=set)
    foreign: dict[str, str] = field(default_factory=dict)
    custom: set[CustomFunction] = field(default_factory=set)
    constants: Constants = field(default_factory=Constants)
    #: The name of the type whose functions are being written.
    here: str = ""
    _by_values: dict[object, str] = field(default_factory=dict)

    def rule(self, check: Check, shape: Shape) -> str:
        """Returns the constant of a check's rule."""
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
        """Returns the constant for the identity of list items."""
        shape = self.shape(elem)
        name = f"_{to_word(self.expression(elem))}By"
        if isinstance(match, ByKeys):
            self.imports.add("KeyedItems")
            arguments = [shape, *(literal((k.json, k.zero)) for k in match.keys)]
            return self.constants.shared(name + "".join(capital(k.json) for k in match.keys), "KeyedItems", arguments)
        self.imports.add("WholeItems")
        return self.constants.shared(f"{name}Value", "WholeItems", [shape])

    def make_items_constant(self, predicate: Predicate) -> str:
        """Returns the constant that matches list items for a predicate."""
        match = next(operand for operand in predicate.operands if isinstance(operand, ByKeys | ByValue))
        assert predicate.shape is not None
        return self.items(match, predicate.shape)

    def distinct_items(self, predicate: Predicate, value: str) -> str:
        """Returns an expression for a lower bound of the number of different items in a list."""
        match = next(operand for operand in predicate.operands if isinstance(operand, ByKeys | ByValue))
        if isinstance(predicate.shape, Scalar):
            return f"len({{item or {literal(predicate.shape.zero)} for item in {value}}})"
        if isinstance(match, ByValue) or isinstance(predicate.shape, PointerTo):
            return f"{self.make_items_constant(predicate)}.distinct({value})"
        key = match.keys[0]
        zero = "" if key.zero is None else f" or {literal(key.zero)}"
        spelt_out = f"len({{item.get({literal(key.json)}){zero} for item in {value}}})"
        if len(match.keys) > 1 or len(spelt_out) > _LONG_COUNT:
            return f"{self.make_items_constant(predicate)}.distinct({value})"
        return spelt_out

    def selector(self, selector: Selector) -> str:
        """Returns the constant for an item selector."""
        self.imports.add("Selector")
        name = "_".join(f"{term.json}_{term.value}" for term in selector)
        terms = [literal((term.json, term.value, term.zero)) for term in selector]
        return self.constants.shared(f"_where_{name}", "Selector", terms)

    def membership(self, union: Membership, shape: Shape) -> str:
        """Returns the constant that tells which members of a union are set."""
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

    def operands(self, predicate: Predicate) -> list[str]:
        """Returns the operands of a predicate. The identity of items is the last one, as it includes their shape."""
        found: list[str] = []
        for operand in predicate.operands:
            if isinstance(operand, ByKeys | ByValue):
                return [*found, self.make_items_constant(predicate)]
            if isinstance(operand, ItemPresence):
                found.append(self.selector(operand.selector))
            else:
                found.append(self.operand(predicate.name, operand))
        return found if predicate.shape is None else [*found, self.shape(predicate.shape)]

    def operand(self, check: str, value: object) -> str:
        """Returns an operand of a check, as a literal or a constant."""
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
        """Returns the validator of a type."""
        package, _, name = type.rpartition(".")
        return f"{self._find_prefix(package)}{mode}_{name}"

    def plan(self, type: str) -> TypePlan:
        """Returns the checks of a type."""
        return self.program.types[type]

    def checks_something(self, type: str) -> bool:
        """Returns whether a type has checks, on itself or inside."""
        return self.program.checks_something(type) and self.program.is_sound(type)

    def make_known_constant(self, expression: str) -> str:
        """Returns the constant for a set of texts that have been found valid."""
        format = _FORMAT.fullmatch(expression)
        subject = format[1].removeprefix("k8s-") if format else to_word(expression.removesuffix(".known")).lower()
        return self.constants.shared(f"_known_{subject}", "", [expression])

    def members(self, struct: StructRef) -> tuple[Member, ...]:
        """Returns the members of a struct as they are decoded."""
        return self.program.structs[struct.id]

    def typed(self, struct: StructRef) -> str:
        """Returns a function that checks the types of a struct's members, for structs without rules."""
        package, _, name = struct.id.rpartition(".")
        if self.checks_something(struct.id):
            return f"{self.shape(struct)}.demand"
        return f"{self._find_prefix(package)}typed_{name}"

    def exact(self, struct: StructRef) -> str:
        package, _, name = struct.id.rpartition(".")
        return f"{self._find_prefix(package)}exact_{name}" if struct.id in self.confusable else ""

    def struct_names(self, shape: Shape) -> str:
        """Returns the constant with the JSON names of a struct."""
        struct = value_shape(shape)
        assert isinstance(struct, StructRef)
        return f"{self.expression(struct)}.members"

    @property
    def _enums(self) -> dict[object, str]:
        """The types of enums by the values that they allow."""
        if not self._by_values:
            for id, plan in sorted(self.program.types.items(), reverse=True):
                for predicate in plain_predicates(plan.checks):
                    if predicate.record is predicates.ENUM:
                        self._by_values[predicate.operands[0]] = id
        return self._by_values

    def _find_prefix(self, package: str) -> str:
        """Returns the prefix of names from another package's module, empty for our own."""
        if package == self.package:
            return ""
        if package not in self.foreign:
            self.foreign[package] = "_".join(self.modules[package])
        return f"{self.foreign[package]}."
