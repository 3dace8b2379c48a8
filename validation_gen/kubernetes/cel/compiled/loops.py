"""Macros: loops of Python that end as soon as the result is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.compiled.forms import UnsupportedError, Value, general, item_of
from validation_gen.kubernetes.cel.types import BOOL, INT, STRING, Kind, Type

if TYPE_CHECKING:
    from validation_gen.kubernetes.cel.compiled.translation import Translator

#: Upper limit of the cost of one iteration without its body, from the expansion of the macro.
_TURN = 24


def loop(translator: Translator, node: tree.Comprehension) -> Value:
    """Translates a macro.

    Raises:
        UnsupportedError: there is no fast form of it.
    """
    kind = _kind(node)
    if kind is None:
        raise UnsupportedError("an unknown macro")
    return kind(translator, node)


def _kind(node: tree.Comprehension) -> Callable[[Translator, tree.Comprehension], Value] | None:
    """Finds the translation for the macro that a loop comes from, by the form of its expansion."""
    step = node.step
    if not isinstance(step, tree.Call) or step.target is not None or not isinstance(node.init, tree.Node):
        return None
    if isinstance(node.init, tree.Literal) and node.init.value is True and step.function == "_&&_":
        return _all
    if isinstance(node.init, tree.Literal) and node.init.value is False and step.function == "_||_":
        return _exists
    if isinstance(node.init, tree.Literal) and node.init.value == 0 and step.function == "_?_:_":
        return _exists_one
    if isinstance(node.init, tree.ListLiteral) and not node.init.elements and _appended(node) is not None:
        return _collected
    return None


def _appended(node: tree.Comprehension) -> tuple[tree.Node | None, tree.Node] | None:
    """Returns the filter of `map` and `filter`, if there is one, and the appended expression."""
    step, filter = node.step, None
    assert isinstance(step, tree.Call)
    if step.function == "_?_:_":
        filter, step = step.args[0], step.args[1]
    if not isinstance(step, tree.Call) or step.function != "_+_" or not isinstance(step.args[1], tree.ListLiteral):
        return None
    if not isinstance(step.args[0], tree.Ident) or step.args[0].name != node.accu or step.args[1].optional:
        return None
    return filter, step.args[1].elements[0]


# --- the range --------------------------------------------------------------------------------------------------------


@contextmanager
def _turns(translator: Translator, node: tree.Comprehension) -> Iterator[tuple[str, list[str]]]:
    """Yields the head of a `for` statement and the list that collects the lines of its body.

    The variables of the loop are bound within. The cost of the body is charged for all iterations before the first.
    """
    writer = translator.writer
    items, head, variables = _range(translator, node)
    outer, before = translator.variables, writer.constant_cost
    translator.variables, writer.constant_cost = {**outer, **variables}, _TURN
    try:
        with writer.apart() as lines:
            yield head, lines
    finally:
        turn, writer.constant_cost, translator.variables = writer.constant_cost, before + _TURN, outer
    writer.spend(f"len({items}) * {turn}")


def _range(translator: Translator, node: tree.Comprehension) -> tuple[str, str, dict[str, Value]]:
    """Returns the variable with the items, the head of the loop, and the variables of its body."""
    writer = translator.writer
    found = translator.value(node.range)
    element = found.element or (found.shape.element if found.shape is not None else None)
    items, first, inner = writer.variable(found.text), writer.fresh("x"), found.type.parameters
    second = writer.fresh("y") if node.var2 else ""

    def item(name: str, type: Type) -> Value:
        return Value(name, type) if element is None else item_of(writer, name, element, type)

    if found.kind is Kind.LIST:
        if not second:
            return items, f"for {first} in {items}:", {node.var: item(first, inner[0])}
        variables = {node.var: Value(first, INT), node.var2: item(second, inner[0])}
        return items, f"for {first}, {second} in enumerate({items}):", variables
    if found.kind is not Kind.MAP or found.shape is None or element is None or inner[0] != STRING:
        raise UnsupportedError("a loop over what is neither a list nor a map")
    key = {node.var: Value(first, STRING)}
    if not second:
        return items, f"for {first} in {items}:", key
    return items, f"for {first}, {second} in {items}.items():", key | {node.var2: item(second, inner[1])}


# --- the macros -------------------------------------------------------------------------------------------------------


def _quantified(translator: Translator, node: tree.Comprehension, *, ends: bool) -> Value:
    """Translates `all` and `exists`, which end at the first item whose predicate is `ends`."""
    assert isinstance(node.step, tree.Call)
    writer, result = translator.writer, translator.writer.fresh()
    with _turns(translator, node) as (head, lines):
        predicate = translator.condition(node.step.args[1])
    writer.line(f"{result} = {not ends}")
    with writer.block(head):
        writer.put(lines)
        with writer.block(f"if {predicate}:" if ends else f"if not {predicate}:"):
            writer.line(f"{result} = {ends}")
            writer.line("break")
    return Value(result, BOOL)


def _all(translator: Translator, node: tree.Comprehension) -> Value:
    return _quantified(translator, node, ends=False)


def _exists(translator: Translator, node: tree.Comprehension) -> Value:
    return _quantified(translator, node, ends=True)


def _exists_one(translator: Translator, node: tree.Comprehension) -> Value:
    assert isinstance(node.step, tree.Call)
    writer, count = translator.writer, translator.writer.fresh()
    with _turns(translator, node) as (head, lines):
        predicate = translator.condition(node.step.args[0])
    writer.line(f"{count} = 0")
    with writer.block(head):
        writer.put(lines)
        writer.line(f"if {predicate}: {count} += 1")
    return Value(f"({count} == 1)", BOOL)


def _collected(translator: Translator, node: tree.Comprehension) -> Value:
    """Translates `map` and `filter`: a list of the results of the body."""
    parts = _appended(node)
    assert parts is not None
    writer, result = translator.writer, translator.writer.fresh()
    with _turns(translator, node) as (head, lines):
        condition = translator.condition(parts[0]) if parts[0] is not None else ""
        body_lines, body = translator.apart(parts[1])
    element = body.shape
    text = body.text if element is not None else general(writer, body)
    type = translator.typed.types[node.id]
    if not lines and not body_lines:
        suffix = f" if {condition}" if condition else ""
        writer.line(f"{result} = [{text} {head[:-1]}{suffix}]")
        return Value(result, type, element=element)
    writer.line(f"{result} = []")
    with writer.block(head):
        writer.put(lines)
        if not condition:
            writer.put([line[1:] for line in body_lines])
            writer.line(f"{result}.append({text})")
        else:
            with writer.block(f"if {condition}:"):
                writer.put(body_lines)
                writer.line(f"{result}.append({text})")
    return Value(result, type, element=element)
