"""Type checker: gives each node its type and each call its overloads, with the verdicts and words of cel-go's checker.

The checker goes on after a mistake: an expression with a mistake gets the error type, which fits everything.
`validators` reports lists and maps of mixed types, this module does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.declarations import TYPE_NAMES, Environment, Function, Overload
from validation_gen.kubernetes.cel.tree import InvalidExpression, Issue, Node, Typed
from validation_gen.kubernetes.cel.types import BOOL, DYN, ERROR, INT, STRING, Kind, Type, spell


def check_expression(expression: tree.Expression, environment: Environment) -> Typed:
    """Returns the expression with its types.

    Raises:
        InvalidExpression: with all mistakes.
    """
    checker = _Checker(expression, environment)
    checker.check(expression.root)
    if checker.issues:
        raise InvalidExpression(checker.issues)
    bindings = checker.bindings
    found = [types.substitute(bindings, type, closed=True) if type.open else type for type in checker.types]
    variables = frozenset(checker.variables)
    return Typed(expression, found, checker.overloads, checker.static, checker.names, variables)


class _Checker:
    def __init__(self, expression: tree.Expression, environment: Environment) -> None:
        self.types: list[Type] = [ERROR] * expression.size
        self.overloads: dict[int, tuple[str, ...]] = {}
        self.static: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.variables: set[str] = set()
        self.issues: list[Issue] = []
        self.bindings: types.Bindings = {}
        self._environment = environment
        self._locals: dict[str, Type] = {}
        self._fresh = 0

    def check(self, node: Node) -> Type:
        type = _CHECKS[node.__class__](self, node)
        self.types[node.id] = type
        return type

    # --- names and fields ---------------------------------------------------------------------------------------------

    def literal(self, node: tree.Literal) -> Type:
        return node.type

    def ident(self, node: tree.Ident) -> Type:
        name = node.name
        if (local := self._locals.get(name)) is not None:
            self.variables.add(name)
            return local
        bare = name.removeprefix(".")
        found = self._environment.global_type(bare)
        if found is None:
            return self._report_undeclared(node, name)
        self.variables.add(f".{bare}" if bare in self._locals else bare)
        return found

    def select(self, node: tree.Select) -> Type:
        if (named := self._find_qualified(node)) is not None:
            return named
        found = self._field(node, node.operand, node.field)
        return BOOL if node.test_only else types.substitute(self.bindings, found)

    def _find_qualified(self, node: tree.Select) -> Type | None:
        """Returns the type of `a.b.c` if that is a qualified name."""
        names = _split_dotted(node)
        if not names or names[0] in self._locals:
            return None
        name = ".".join(names).removeprefix(".")
        found = self._environment.global_type(name)
        if found is not None:
            self.names[node.id] = name
            self.variables.add(name)
        return found

    def _field(self, node: Node, operand: Node, field: str, *, optional: bool = False) -> Type:
        type, was_optional = types.unwrap_optional(types.substitute(self.bindings, self.check(operand)))
        result = ERROR
        if type.kind is Kind.MAP:
            result = type.parameters[1]
        elif type.kind is Kind.OBJECT:
            result = self._object_field(node, type, field)
        else:
            if type.kind is Kind.PARAM:
                self._assign([DYN], [type])
            elif type.kind not in (Kind.DYN, Kind.ANY, Kind.ERROR):
                self._issue(node, f"type '{spell(type)}' does not support field selection")
            result = DYN
        return types.optional_type(result) if was_optional or optional else result

    def _object_field(self, node: Node, type: Type, field: str) -> Type:
        fields = self._environment.objects.get(type.name)
        if fields is None:
            self._issue(node, f"unexpected failed resolution of '{type.name}'")
            return ERROR
        if (found := fields.get(field)) is not None:
            return found
        self._issue(node, f"undefined field '{field}'")
        return ERROR

    # --- calls --------------------------------------------------------------------------------------------------------

    def call(self, node: tree.Call) -> Type:
        if node.function == "_?._":
            return self._optional_field(node)
        for argument in node.args:
            self.check(argument)
        if node.target is None:
            function = self._environment.function(node.function)
            return (
                self._resolve_call(node, function, None) if function else self._report_undeclared(node, node.function)
            )
        prefix = _split_dotted(node.target)
        if prefix and (function := self._environment.function(".".join([*prefix, node.function]))):
            self.static[node.id] = function.name
            return self._resolve_call(node, function, None)
        self.check(node.target)
        function = self._environment.function(node.function)
        return (
            self._resolve_call(node, function, node.target)
            if function
            else self._report_undeclared(node, node.function)
        )

    def _optional_field(self, node: tree.Call) -> Type:
        operand, field = node.args
        assert isinstance(field, tree.Literal)
        found = self._field(node, operand, str(field.value), optional=True)
        self.types[field.id] = STRING
        self.overloads[node.id] = ("select_optional_field",)
        return types.substitute(self.bindings, found)

    def _resolve_call(self, node: tree.Call, function: Function, target: Node | None) -> Type:
        args = (target, *node.args) if target else node.args
        given = tuple([self.types[argument.id] for argument in args])
        if function.name in ("_&&_", "_||_"):
            return self._logic(node, function, given)
        if any(type.open for type in given):
            names, result = self._resolve(function, target is not None, given)
        else:
            names, result = _resolve_closed(function, target is not None, given)
            if result is not None and result.open:
                names, result = self._resolve(function, target is not None, given)
        if result is None:
            shown = [spell(types.substitute(self.bindings, type, closed=True)) for type in given]
            method = f"{shown.pop(0)}." if target else ""
            signature = f"{method}({', '.join(shown)})"
            self._issue(node, f"found no matching overload for '{function.name}' applied to '{signature}'")
            return ERROR
        self.overloads[node.id] = names
        return result

    def _logic(self, node: tree.Call, function: Function, given: Sequence[Type]) -> Type:
        result = BOOL
        for argument, type in zip(node.args, given, strict=True):
            if not self._assign([type], [BOOL]):
                self._mismatch(argument, BOOL, type)
                result = ERROR
        if result is BOOL:
            self.overloads[node.id] = (function.overloads[0].name,)
        return result

    def _resolve(self, function: Function, method: bool, given: Sequence[Type]) -> tuple[tuple[str, ...], Type | None]:
        """Returns the overloads that fit, and their result type: the first one's, or `dyn` if they differ."""
        names: list[str] = []
        result: Type | None = None
        for overload in function.overloads:
            if overload.method is not method:
                continue
            demanded, its_result = self._instantiate(overload)
            if self._assign(given, demanded):
                names.append(overload.name)
                its_result = types.substitute(self.bindings, its_result)
                if result is None:
                    result = its_result
                elif result.kind not in (Kind.DYN, Kind.ANY) and its_result != result:
                    result = DYN
        return tuple(names), result

    def _instantiate(self, overload: Overload) -> tuple[Sequence[Type], Type]:
        """Returns the types of a signature with fresh type parameters."""
        if not overload.parameters:
            return overload.args, overload.result
        fresh = {name: self._fresh_parameter() for name in overload.parameters}
        args = [types.substitute(fresh, argument) for argument in overload.args]
        return args, types.substitute(fresh, overload.result)

    # --- aggregates ---------------------------------------------------------------------------------------------------

    def list_literal(self, node: tree.ListLiteral) -> Type:
        joined: Type | None = None
        for index, element in enumerate(node.elements):
            type = self.check(element)
            if index in node.optional:
                type = self._held(element, type)
            joined = self._join(joined, type)
        return types.list_type(joined or self._fresh_parameter())

    def map_literal(self, node: tree.MapLiteral) -> Type:
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            keys = self._join(keys, self.check(entry.key))
            type = self.check(entry.value)
            if entry.optional:
                type = self._held(entry.value, type)
            values = self._join(values, type)
        return types.map_type(keys or self._fresh_parameter(), values or self._fresh_parameter())

    def object_literal(self, node: tree.ObjectLiteral) -> Type:
        """Checks the construction of an object, which only mutations of policies can do; elsewhere it is a mistake."""
        name = node.type_name.removeprefix(".")
        fields = self._environment.made(name)
        if fields is not None:
            return self._made(node, name, fields)
        if name not in TYPE_NAMES:
            return self._report_undeclared(node, node.type_name)
        for entry in node.entries:
            self.check(entry.value)
        self._issue(node, f"'{name}' is not a message type")
        return ERROR

    def _made(self, node: tree.ObjectLiteral, name: str, fields: Callable[[str], Type | None]) -> Type:
        for entry in node.entries:
            field = str(entry.key.value) if isinstance(entry.key, tree.Literal) else ""
            type = self.check(entry.value)
            if entry.optional:
                type = self._held(entry.value, type)
            wanted = fields(field)
            if wanted is None:
                self._issue(entry, f"undefined field '{field}'")
            elif not self._assign([wanted], [type]):
                message = f"expected type of field '{field}' is '{spell(wanted)}'"
                self._issue(entry, f"{message} but provided type is '{spell(type)}'")
        return types.object_type(name)

    def _held(self, node: Node, type: Type) -> Type:
        """Returns the type that an optional element adds to the list or map."""
        held, optional = types.unwrap_optional(type)
        if not optional and type.kind not in (Kind.DYN, Kind.ANY):
            self._mismatch(node, types.optional_type(type), type)
        return held

    def _join(self, previous: Type | None, type: Type) -> Type:
        if previous is None:
            return type
        return types.most_general(previous, type) if self._assign([previous], [type]) else DYN

    # --- loops --------------------------------------------------------------------------------------------------------

    def comprehension(self, node: tree.Comprehension) -> Type:
        range = types.substitute(self.bindings, self.check(node.range))
        accumulator = self.check(node.init)
        items = self._items(node, range)
        outer = self._locals
        self._locals = {**outer, node.accu: accumulator}
        within = self._locals
        self._locals = {**within, node.var: items[0]}
        if node.var2:
            self._locals[node.var2] = items[1]
        self._assert(node.condition, BOOL)
        self._assert(node.step, accumulator)
        self._locals = within
        result = self.check(node.result)
        self._locals = outer
        return types.substitute(self.bindings, result)

    def _items(self, node: tree.Comprehension, range: Type) -> tuple[Type, Type]:
        """Returns the types of a loop's variables."""
        if range.kind is Kind.LIST:
            return (INT, range.parameters[0]) if node.var2 else (range.parameters[0], ERROR)
        if range.kind is Kind.MAP:
            return range.parameters[0], range.parameters[1]
        if range.kind in (Kind.DYN, Kind.ERROR, Kind.PARAM):
            self._assign([DYN], [range])
            return DYN, DYN
        message = f"expression of type '{spell(range)}' cannot be range of a comprehension"
        self._issue(node.range, f"{message} (must be list, map, or dynamic)")
        return ERROR, ERROR

    def _assert(self, node: Node, type: Type) -> None:
        found = self.check(node)
        if not self._assign([type], [found]):
            self._mismatch(node, type, found)

    # --- tools --------------------------------------------------------------------------------------------------------

    def _assign(self, given: Sequence[Type], demanded: Sequence[Type]) -> bool:
        bindings = types.find_bindings(self.bindings, given, demanded)
        if bindings is None:
            return False
        self.bindings = bindings
        return True

    def _fresh_parameter(self) -> Type:
        self._fresh += 1
        return types.parameter(f"_var{self._fresh - 1}")

    def _issue(self, node: Node, message: str) -> None:
        self.issues.append(Issue(message, node.offset))

    def _mismatch(self, node: Node, expected: Type, found: Type) -> None:
        self._issue(node, f"expected type '{spell(expected)}' but found '{spell(found)}'")

    def _report_undeclared(self, node: Node, name: str) -> Type:
        self._issue(node, f"undeclared reference to '{name}' (in container '')")
        return ERROR


@lru_cache(maxsize=4096)
def _resolve_closed(function: Function, method: bool, given: tuple[Type, ...]) -> tuple[tuple[str, ...], Type | None]:
    """Resolves a call whose argument types have no parameters; the result is cached."""
    checker = _Checker(_NOTHING, Environment({}, {}, {}))
    return checker._resolve(function, method, given)


_NOTHING = tree.Expression("", tree.Node(0, 0), 0)

_CHECKS: dict[type[Node], Callable[[_Checker, Any], Type]] = tree.find_methods(_Checker)


def _split_dotted(node: Node) -> list[str]:
    """Returns the names of `a.b.c`, or nothing if the node is not of that form."""
    names = []
    while isinstance(node, tree.Select) and not node.test_only:
        names.append(node.field)
        node = node.operand
    return [node.name, *reversed(names)] if isinstance(node, tree.Ident) else []
