"""Translates nodes of a checked expression to Python expressions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.compiled import operators
from validation_gen.kubernetes.cel.compiled.writer import (
    DoubtError,
    UnsupportedError,
    Value,
    Writer,
    general,
    make_item,
    of_shape,
)
from validation_gen.kubernetes.cel.data import Shape
from validation_gen.kubernetes.cel.operations import find_operation
from validation_gen.kubernetes.cel.runtimecosts import call_cost, find_fixed_cost
from validation_gen.kubernetes.cel.tree import Typed
from validation_gen.kubernetes.cel.types import DYN, Kind
from validation_gen.kubernetes.cel.values import EvaluationError, Uint

#: Upper limit of the cost of reading a variable, a field or an index.
_READ = 2
_NEW_LIST, _NEW_MAP = 10, 30


def translate(writer: Writer, typed: Typed, variables: dict[str, Value]) -> Value:
    """Translates an expression, and adds its lines to the writer.

    Args:
        writer: takes lines, and the upper limit of their cost.
        typed: the expression.
        variables: the values of its variables.

    Raises:
        UnsupportedError: there is no fast form.
    """
    return Translator(writer, typed, variables).value(typed.expression.root)


def compile_function(typed: Typed, shape: Shape) -> Callable[[Any, Any], tuple[Any, int]]:
    """Compiles an expression to a function of `self` and `oldSelf` that returns its value and its maximum cost.

    Both are parts of objects that the schema of the shape has validated. The function raises DoubtError, LookupError,
    TypeError or EvaluationError where it cannot compute the value.

    Raises:
        UnsupportedError: there is no fast form.
    """
    writer = Writer()
    variables = {name: of_shape(writer, name, shape, DYN) for name in ("self", "oldSelf")}
    with writer.block("def function(self, oldSelf, cost=0):"):
        value = translate(writer, typed, variables)
        writer.line(f"return {general(writer, value)}, cost + {writer.constant_cost}")
    function: Callable[[Any, Any], tuple[Any, int]] = writer.defined("function", "rule")
    return function


class Translator:
    """Goes through the nodes of one expression."""

    def __init__(self, writer: Writer, typed: Typed, variables: dict[str, Value]) -> None:
        self.writer = writer
        self.typed = typed
        self.variables = variables

    def value(self, node: tree.Node) -> Value:
        translate = _NODES.get(node.__class__)
        if translate is None:
            raise UnsupportedError(node.__class__.__name__)
        return translate(self, node)

    def condition(self, node: tree.Node) -> str:
        """Translates a boolean node."""
        found = self.value(node)
        if found.kind is not Kind.BOOL:
            raise UnsupportedError("a condition of an unknown type")
        return found.text

    def apart(self, node: tree.Node) -> tuple[list[str], Value]:
        """Translates a node that is not always evaluated; returns its lines apart."""
        with self.writer.apart() as lines:
            found = self.value(node)
        return lines, found

    def costs(self, cost: int) -> None:
        self.writer.constant_cost += cost

    # --- leaves -------------------------------------------------------------------------------------------------------

    def literal(self, node: tree.Literal) -> Value:
        value = node.value
        if node.type.kind is Kind.UINT and isinstance(value, int):
            text = self.writer.constant(Uint(value))
        elif isinstance(value, str):
            return Value(self.writer.text(value), node.type, most=len(value), constant=True)
        elif isinstance(value, float) and not math.isfinite(value):
            text = self.writer.constant(value)
        else:
            text = repr(value) if not isinstance(value, float) else f"({value!r})"
        most = abs(value) if node.type.kind is Kind.INT and isinstance(value, int) else None
        return Value(text, node.type, most=most, constant=True)

    def ident(self, node: tree.Ident) -> Value:
        return self._translate_name(node, node.name)

    def _translate_name(self, node: tree.Node, name: str) -> Value:
        self.costs(_READ)
        found = self.variables.get(name) or self.variables.get(name.removeprefix("."))
        if found is None:
            raise UnsupportedError(f"the name {name}")
        return replace(found, type=self.typed.types[node.id])

    # --- parts --------------------------------------------------------------------------------------------------------

    def select(self, node: tree.Select) -> Value:
        if (name := self.typed.names.get(node.id)) is not None:
            return self._translate_name(node, name)
        operand = self.value(node.operand)
        self.costs(_READ)
        shape = operand.shape
        if shape is None:
            raise UnsupportedError("a field of what is no part of the object")
        if shape.is_object:
            return self._field(node, operand.text, shape)
        if shape.element is None:
            raise UnsupportedError("a field of what has none")
        name = self.writer.text(node.field)
        if node.test_only:
            return Value(f"({name} in {operand.text})", self.typed.types[node.id])
        return make_item(self.writer, f"{operand.text}[{name}]", shape.element, self.typed.types[node.id])

    def _field(self, node: tree.Select, text: str, shape: Shape) -> Value:
        property = shape.names.get(node.field)
        if property is None:
            raise UnsupportedError(f"the field {node.field}")
        name = self.writer.text(property)
        if node.test_only:
            return Value(f"({text}.get({name}) is not None)", self.typed.types[node.id])
        part = shape.fields[property]
        found = f"{text}[{name}]"
        if part.nullable:
            found = f"{self.writer.constant(_get_field)}({found})"
        return of_shape(self.writer, found, part, self.typed.types[node.id])

    def index(self, node: tree.Call) -> Value:
        operand, key = self.value(node.args[0]), self.value(node.args[1])
        self.costs(_READ)
        type = self.typed.types[node.id]
        shape = operand.shape
        if operand.kind is Kind.MAP and key.kind is Kind.STRING and shape is not None and shape.element is not None:
            return make_item(self.writer, f"{operand.text}[{key.text}]", shape.element, type)
        if operand.kind is Kind.MAP and key.kind is Kind.STRING and shape is None:
            return Value(f"{operand.text}[{key.text}]", type)
        element = operand.element or (shape.element if shape is not None else None)
        if operand.kind is not Kind.LIST or key.kind is not Kind.INT:
            raise UnsupportedError("an index of an unknown type")
        if key.text.isdecimal():  # constant folding gives names, and the value may be negative
            found = f"{operand.text}[{key.text}]"
        else:
            found = f"{self.writer.constant(_item)}({operand.text}, {key.text})"
        if element is not None:
            return make_item(self.writer, found, element, type)
        return Value(found, type)

    # --- calls --------------------------------------------------------------------------------------------------------

    def call(self, node: tree.Call) -> Value:
        function = self.typed.function(node)
        if function in ("_&&_", "_||_"):
            return self._logic(node, "and" if function == "_&&_" else "or")
        if function == "_?_:_":
            return self._conditional(node)
        if function == "_[_]":
            return self.index(node)
        if function in ("_[?_]", "_?._"):
            raise UnsupportedError("optionals")
        parts = node.args
        if node.target is not None and node.id not in self.typed.static:
            parts = (node.target, *node.args)
        overloads = self.typed.overloads.get(node.id, ())
        args = [self.value(part) for part in parts]
        quick = operators.quick(self.writer, overloads, args, self.typed.types[node.id])
        return quick if quick is not None else self._translate_call(node, function, overloads, args)

    def _translate_call(self, node: tree.Call, function: str, overloads: tuple[str, ...], args: list[Value]) -> Value:
        """Translates a call to the function that plans call, with the same cost."""
        type = self.typed.types[node.id]
        operation, overload = find_operation(function, overloads), overloads[0] if len(overloads) == 1 else ""
        writer = self.writer
        if args and all(arg.constant for arg in args):
            return self._fold(node, function, overload, operation, args)
        run = writer.constant(_raising(operation))
        texts = [general(writer, arg) for arg in args]
        cost = find_fixed_cost(function, overload)
        if cost is not None:
            self.costs(cost)
            return Value(f"{run}({', '.join(texts)})", type)
        names = [writer.variable(text) for text in texts]
        result = writer.variable(f"{run}({', '.join(names)})")
        counted = writer.constant(_make_cost(function, overload))
        writer.spend(f"{counted}(({', '.join(names)},), {result})")
        return Value(result, type)

    def _fold(
        self, node: tree.Call, function: str, overload: str, operation: Callable[..., Any], args: list[Value]
    ) -> Value:
        """Evaluates a call of constants at translation time, such as `duration('1h')`."""
        values = [eval(arg.text, self.writer.names) for arg in args]  # noqa: S307 - literals that we have written
        try:
            result = _raising(operation)(*values)
        except EvaluationError as error:
            raise UnsupportedError("it always fails") from error
        self.costs(call_cost(function, overload, values, result))
        most = len(result) if isinstance(result, str) else None
        return Value(self.writer.constant(result), self.typed.types[node.id], most=most, constant=True)

    def _logic(self, node: tree.Call, operator: str) -> Value:
        left = self.condition(node.args[0])
        with self.writer.apart() as lines:
            right = self.condition(node.args[1])
        type = self.typed.types[node.id]
        if not lines:
            return Value(f"({left} {operator} {right})", type)
        result = self.writer.fresh()
        self.writer.line(f"{result} = {left}")
        with self.writer.block(f"if {result}:" if operator == "and" else f"if not {result}:"):
            self.writer.put(lines)
            self.writer.line(f"{result} = {right}")
        return Value(result, type)

    def _conditional(self, node: tree.Call) -> Value:
        condition = self.condition(node.args[0])
        self.costs(_READ)
        (first_lines, first), (second_lines, second) = self.apart(node.args[1]), self.apart(node.args[2])
        form = first if (first.shape, first.element) == (second.shape, second.element) else None
        texts = [each.text if form else general(self.writer, each) for each in (first, second)]
        type = self.typed.types[node.id]
        most = None if first.most is None or second.most is None else max(first.most, second.most)
        found = Value("", type, form.shape, form.element, most) if form else Value("", type)
        if not first_lines and not second_lines:
            return replace(found, text=f"({texts[0]} if {condition} else {texts[1]})")
        result = self.writer.fresh()
        for head, lines, text in ((f"if {condition}:", first_lines, texts[0]), ("else:", second_lines, texts[1])):
            with self.writer.block(head):
                self.writer.put(lines)
                self.writer.line(f"{result} = {text}")
        return replace(found, text=result)

    # --- what expressions make ----------------------------------------------------------------------------------------

    def list_literal(self, node: tree.ListLiteral) -> Value:
        if node.optional:
            raise UnsupportedError("optionals")
        self.costs(_NEW_LIST)
        items = [self.value(element) for element in node.elements]
        constant = all(item.constant for item in items)
        text = f"[{', '.join(general(self.writer, item) for item in items)}]"
        return Value(text, self.typed.types[node.id], constant=constant)

    def map_literal(self, node: tree.MapLiteral) -> Value:
        if any(entry.optional for entry in node.entries):
            raise UnsupportedError("optionals")
        self.costs(_NEW_MAP)
        pairs = []
        for entry in node.entries:
            key, value = self.value(entry.key), self.value(entry.value)
            if key.kind is not Kind.STRING:
                raise UnsupportedError("keys that are not strings")
            pairs.append(f"{key.text}: {general(self.writer, value)}")
        return Value(f"{{{', '.join(pairs)}}}", self.typed.types[node.id])

    def comprehension(self, node: tree.Comprehension) -> Value:
        return operators.loop(self, node)


_NODES: dict[type[tree.Node], Callable[[Translator, Any], Value]] = tree.find_methods(Translator)


def _raising(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps an operation so that it raises its errors."""

    def run(*args: Any) -> Any:
        result = operation(*args)
        if isinstance(result, EvaluationError):
            raise result.with_traceback(None)  # an error that is raised again keeps all frames
        return result

    return run


def _make_cost(function: str, overload: str) -> Callable[[tuple[Any, ...], Any], int]:
    return lambda args, result: call_cost(function, overload, args, result)


def _get_field(value: Any) -> Any:
    """Returns the value of a field; raises for null, which means that the field is absent."""
    if value is None:
        raise DoubtError
    return value


def _item(items: Any, index: int) -> Any:
    if index < 0:
        raise DoubtError
    return items[index]
