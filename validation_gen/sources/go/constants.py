"""Evaluates the constants of a Go package: their values and types.

Evaluation follows the language specification (constant expressions, iota, implicit repetition) as far as API packages
use it. Values that it cannot evaluate are `None`; it never raises, loops or grows without bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from validation_gen.sources.go.literals import (
    Scalar,
    binary,
    convert,
    float_value,
    integer_value,
    rune_value,
    string_value,
    unary,
)
from validation_gen.sources.go.scope import FileScope, PackageScope, operand
from validation_gen.sources.model import Builtin, Const, Named, Package

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 100
_MAX_NESTED = 10
ConstType = Named | Builtin | None


@dataclass(frozen=True, slots=True)
class Value:
    """A constant's value (`None`: unknown) and type (`None`: untyped)."""

    scalar: Scalar | None
    type: ConstType = None


_UNKNOWN = Value(None)
_BOOL, _INT = Builtin("bool"), Builtin("int")


@dataclass(frozen=True, slots=True)
class _Spec:
    """One name of a const declaration, with its type and expression, which may be repeated from an earlier line."""

    scope: FileScope
    name: Node
    type: Node | None
    expression: Node | None
    iota: int


class _FirstError(Exception):
    """Another constant has to be evaluated first. So long chains of constants do not exhaust the stack."""

    def __init__(self, name: str) -> None:
        self.name = name


@dataclass(slots=True)
class ConstantReader:
    """Collects the const declarations of all files of a package, then evaluates them in any order they need."""

    package: PackageScope
    _specs: dict[str, _Spec] = field(default_factory=dict)
    _values: dict[str, Value] = field(default_factory=dict)
    _imported: dict[str, dict[str, Const]] = field(default_factory=dict)

    def declare(self, declaration: Node, scope: FileScope) -> None:
        """Adds a `const_declaration` node."""
        type_node: Node | None = None
        expressions: list[Node] = []
        iota = 0
        for spec in declaration.named_children:
            if spec.type != "const_spec":
                continue
            value = spec.child_by_field_name("value")
            if value is not None:  # without values the previous expressions and their type are repeated
                type_node = spec.child_by_field_name("type")
                expressions = [node for node in value.named_children if node.type != "comment"]
            names = [node for node in spec.children_by_field_name("name") if node.is_named]
            for index, name_node in enumerate(names):
                name = scope.tree.text(name_node)
                expression = expressions[index] if index < len(expressions) else None
                if name != "_":
                    self._specs.setdefault(name, _Spec(scope, name_node, type_node, expression, iota))
            iota += 1

    def read(self) -> list[Const]:
        """Returns all constants in source order. Reports VG304 for one of an enum's type without a value."""
        constants: list[Const] = []
        self._values.clear()  # array lengths were evaluated before the types were known
        for name, spec in self._specs.items():
            value = self._evaluate(name)
            span = spec.scope.tree.span(spec.name)
            if value.scalar is None and isinstance(value.type, Named):
                self.package.diagnostics.warning(
                    "VG304",
                    f"the value of constant `{name}` of type `{value.type.name}` cannot be evaluated",
                    span,
                    help="write the value as a literal; until then it is missing from the values of an enum",
                )
            comments = spec.scope.comments.above(spec.scope.tree.line(spec.name))
            constants.append(Const(name, value.type, value.scalar, comments, span))
        return constants

    def constant(self, node: Node, scope: FileScope) -> Scalar | None:
        """Returns the value of a constant expression, also before types have been read."""
        return self._settle(_Spec(scope, node, None, node, 0)).scalar

    def _evaluate(self, name: str) -> Value:
        waiting = {name: None}
        while waiting:
            try:
                self._named(next(reversed(waiting)), 0)
                waiting.popitem()
            except _FirstError as first:
                if first.name in waiting:
                    self._values[first.name] = _UNKNOWN  # a cycle, as below
                waiting[first.name] = None
        return self._values[name]

    def _settle(self, spec: _Spec) -> Value:
        while True:
            try:
                return self._evaluate_once(spec, 0)
            except _FirstError as first:
                self._evaluate(first.name)

    def _named(self, name: str, nested: int) -> Value:
        if name not in self._values:
            self._values[name] = _UNKNOWN  # the value within a cycle
            try:
                self._values[name] = self._evaluate_once(self._specs[name], nested)
            except _FirstError:
                del self._values[name]
                raise
        return self._values[name]

    def _evaluate_once(self, spec: _Spec, nested: int) -> Value:
        value = _Evaluation(self, spec, nested).value(spec.expression) if spec.expression else _UNKNOWN
        return value if spec.type is None else self.converted(value, _constant_type(spec.scope, spec.type))

    def local(self, name: str, nested: int) -> Value | None:
        """Returns the value of a constant of the package, `None` if there is none.

        Raises:
            _FirstError: it has to be evaluated first, as too many constants refer to one another.
        """
        if name not in self._specs:
            return None
        if name not in self._values and nested >= _MAX_NESTED:
            raise _FirstError(name)
        return self._named(name, nested + 1)

    def imported(self, path: str, name: str) -> Value:
        """Returns the value of an exported constant of another package, which is read at the first use."""
        if path not in self._imported:
            package = self.package.importer.package(path)
            self._imported[path] = {const.name: const for const in package.constants} if package else {}
        constant = self._imported[path].get(name)
        return Value(constant.value, constant.type) if constant else _UNKNOWN

    def converted(self, value: Value, type_: ConstType) -> Value:
        scalar = value.scalar
        if isinstance(scalar, str) and isinstance(type_, Named):  # by far the most frequent; nothing to look up
            return Value(scalar, type_)
        kind = self._underlying(type_)
        return Value(convert(scalar, kind) if kind and scalar is not None else scalar, type_)

    def bits(self, type_: ConstType) -> str:
        """Returns the name of the builtin type below `type_`, `""` when unknown or untyped."""
        return self._underlying(type_) or ""

    def _underlying(self, type_: ConstType) -> str | None:
        for _ in range(_MAX_DEPTH):
            if not isinstance(type_, Named):
                break
            own = type_.package == self.package.path
            package: Package | None = None if own else self.package.importer.package(type_.package)
            types = self.package.types if own else package.types if package else {}
            declared = types[type_.name].type if type_.name in types else None
            type_ = declared if isinstance(declared, Named | Builtin) else None
        return type_.name if isinstance(type_, Builtin) else None


@dataclass(slots=True)
class _Evaluation:
    """Evaluation of one constant's expression, nested in the evaluations of `nested` other constants."""

    reader: ConstantReader
    spec: _Spec
    nested: int = 0
    depth: int = 0

    def value(self, node: Node | None) -> Value:
        if node is None or self.depth >= _MAX_DEPTH:
            return _UNKNOWN
        self.depth += 1
        try:
            return self._value(node)
        finally:
            self.depth -= 1

    def _value(self, node: Node) -> Value:
        text = self.spec.scope.tree.text
        match node.type:
            case "interpreted_string_literal" | "raw_string_literal":
                return Value(string_value(text(node)))
            case "int_literal":
                return Value(integer_value(text(node)))
            case "float_literal":
                return Value(float_value(text(node)))
            case "rune_literal":
                return Value(rune_value(text(node)))
            case "true" | "false":
                return Value(node.type == "true")
            case "iota":
                return Value(self.spec.iota)
            case "identifier":
                return self.reader.local(text(node), self.nested) or self._dot_imported(text(node))
            case "parenthesized_expression":
                return self.value(operand(node))
            case "selector_expression":
                return self._select(node)
            case "unary_expression":
                return self._unary(node)
            case "binary_expression":
                return self._binary(node)
            case "call_expression":
                return self._call(node)
        return _UNKNOWN

    def _dot_imported(self, name: str) -> Value:
        for path in self.spec.scope.imports.dotted:
            value = self.reader.imported(path, name)
            if value != _UNKNOWN:
                return value
        return _UNKNOWN

    def _select(self, node: Node) -> Value:
        package, name = node.child_by_field_name("operand"), node.child_by_field_name("field")
        if package is None or name is None or package.type != "identifier":
            return _UNKNOWN
        scope = self.spec.scope
        path = scope.imports.resolve(scope.tree.text(package))
        return self.reader.imported(path, scope.tree.text(name)) if path else _UNKNOWN

    def _unary(self, node: Node) -> Value:
        operator, value = node.child_by_field_name("operator"), self.value(node.child_by_field_name("operand"))
        if operator is None or value.scalar is None:
            return Value(None, value.type)
        return Value(unary(operator.type, value.scalar, self.reader.bits(value.type)), value.type)

    def _binary(self, node: Node) -> Value:
        """Evaluates left-associative operators in a loop, as long concatenations would exhaust recursion."""
        pending: list[tuple[str, Node | None]] = []
        left: Node | None = node
        while left is not None and left.type == "binary_expression":
            operator = left.child_by_field_name("operator")
            pending.append((operator.type if operator else "", left.child_by_field_name("right")))
            left = left.child_by_field_name("left")
        value = self.value(left)
        for operator_text, right_node in reversed(pending):
            right = self.value(right_node)
            if operator_text in ("<<", ">>"):
                type_ = value.type
            elif operator_text in ("==", "!=", "<", "<=", ">", ">="):
                type_ = None
            else:
                type_ = value.type or right.type
            known = value.scalar is not None and right.scalar is not None
            value = Value(binary(operator_text, value.scalar, right.scalar) if known else None, type_)
        return value

    def _call(self, node: Node) -> Value:
        """Evaluates a conversion `T(x)`, or `len("…")`, the one function call that is a constant."""
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        operands = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
        while function is not None and function.type == "parenthesized_expression":
            function = operand(function)
        if function is None or len(operands) != 1:
            return _UNKNOWN
        scope = self.spec.scope
        value = self.value(operands[0])
        if function.type == "identifier" and scope.tree.text(function) == "len" and "len" not in scope.package.names:
            return Value(len(value.scalar.encode()), _INT) if isinstance(value.scalar, str) else _UNKNOWN
        type_ = _constant_type(scope, function)
        return self.reader.converted(value, type_) if type_ else _UNKNOWN


def _constant_type(scope: FileScope, node: Node) -> ConstType:
    """Returns the type that a type expression or the function of a conversion names, if constants can have it."""
    tree = scope.tree
    if node.type in ("identifier", "type_identifier"):
        name = tree.text(node)
        type_ = scope.unqualified(name, node)
        declared = isinstance(type_, Named) and name in scope.package.names  # else it may be a function
        return type_ if isinstance(type_, Builtin) or (declared and isinstance(type_, Named)) else None
    if node.type not in ("qualified_type", "selector_expression") or len(node.named_children) != 2:
        return None
    qualifier, name_node = node.named_children
    path = scope.imports.resolve(tree.text(qualifier))
    if path is None or path == "unsafe":  # all names of `unsafe` are functions
        return None
    return Named(path, tree.text(name_node), tree.span(node))
