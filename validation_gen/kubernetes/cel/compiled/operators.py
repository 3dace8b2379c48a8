"""Writes the calls and macros that have a form of their own in Python, for operands whose types are known.

The loop of a macro ends as soon as its result is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.compiled.writer import (
    DoubtError,
    UnsupportedError,
    Value,
    Writer,
    general,
    is_plain,
    make_item,
)
from validation_gen.kubernetes.cel.types import BOOL, INT, STRING, Kind, Type
from validation_gen.runtime.goregex import GoRegexError, compiled

if TYPE_CHECKING:
    from validation_gen.kubernetes.cel.compiled.translation import Translator


Quick = Callable[[Writer, list[Value], Type], "Value | None"]
_QUICK: dict[str, Quick] = {}

#: Types whose equality is that of Python.
_COMPARABLE = (Kind.STRING, Kind.INT, Kind.BOOL, Kind.DOUBLE, Kind.BYTES, Kind.TIMESTAMP, Kind.DURATION)
_PER_CHARACTER = 0.1
#: No list and no text is longer.
_LONGEST = 1 << 48


def quick(writer: Writer, overloads: tuple[str, ...], args: list[Value], type: Type) -> Value | None:
    """Returns the Python form of a call; None if it has none."""
    make = _QUICK.get(overloads[0]) if len(overloads) == 1 else None
    return None if make is None else make(writer, args, type)


def _for(*overloads: str) -> Callable[[Quick], Quick]:
    def add(make: Quick) -> Quick:
        _QUICK.update(dict.fromkeys(overloads, make))
        return make

    return add


def count_text(writer: Writer, value: Value, factor: float = _PER_CHARACTER, times: int = 1) -> None:
    """Charges the cost of reading a text."""
    if value.most is not None:
        writer.constant_cost += (math.ceil((value.most + 1) * factor)) * times
    else:
        writer.spend(f"(int(len({value.text}) * {factor}) + 2) * {times}")


def _shorter(left: Value, right: Value) -> Value:
    known = [value for value in (left, right) if value.most is not None]
    return min(known, key=lambda value: value.most or 0) if known else left


# --- comparing --------------------------------------------------------------------------------------------------------


def _compare(operator: str) -> Quick:
    def make(writer: Writer, args: list[Value], type: Type) -> Value | None:
        left, right = args
        if left.kind is not right.kind or left.kind not in _COMPARABLE:
            return None
        if left.kind in (Kind.STRING, Kind.BYTES):
            count_text(writer, _shorter(left, right))
        writer.constant_cost += 1
        texts = [left.text, right.text]
        if left.kind is Kind.DOUBLE and operator not in ("==", "!="):
            texts = [f"{writer.constant(_check_ordered)}({text})" for text in texts]
        return Value(f"({texts[0]} {operator} {texts[1]})", type)

    return make


def _check_ordered(value: float) -> float:
    """Returns a number that can be ordered; raises for NaN, with which the rule fails."""
    if math.isnan(value):
        raise DoubtError
    return value


_QUICK |= {"equals": _compare("=="), "not_equals": _compare("!=")}
for _name, _operator in (("less", "<"), ("less_equals", "<="), ("greater", ">"), ("greater_equals", ">=")):
    for _kind in ("int64", "double", "string", "timestamp", "duration"):
        _QUICK[f"{_name}_{_kind}"] = _compare(_operator)


@_for("logical_not")
def _not(writer: Writer, args: list[Value], type: Type) -> Value | None:
    if args[0].kind is not Kind.BOOL:
        return None
    writer.constant_cost += 1
    return Value(f"(not {args[0].text})", type)


# --- sizes and members ------------------------------------------------------------------------------------------------


@_for(*(f"size_{of}" for of in ("string", "list", "map")), *(f"{of}_size" for of in ("string", "list", "map")))
def _size(writer: Writer, args: list[Value], type: Type) -> Value | None:
    writer.constant_cost += 1
    return Value(f"len({args[0].text})", type, most=_LONGEST)


@_for("add_int64")
def _translate_sum(writer: Writer, args: list[Value], type: Type) -> Value | None:
    """Translates sums that cannot leave 64 bits, such as those of sizes."""
    left, right = args
    if left.most is None or right.most is None or left.most + right.most >= 1 << 63:
        return None
    writer.constant_cost += 1
    return Value(f"({left.text} + {right.text})", type, most=left.most + right.most)


@_for("in_list")
def _in_list(writer: Writer, args: list[Value], type: Type) -> Value | None:
    item, items = args
    element = items.element or (items.shape.element if items.shape is not None else None)
    if item.kind not in (Kind.STRING, Kind.INT) or items.type.parameters[:1] != (item.type,):
        return None
    if element is not None and not is_plain(element):
        return None
    writer.constant_cost += 1
    if items.constant:
        writer.constant_cost += len(eval(items.text, writer.names))  # noqa: S307 - literals that we have written
        return Value(f"({item.text} in {items.text})", type)
    held = writer.variable(items.text)
    writer.spend(f"len({held})")
    return Value(f"({item.text} in {held})", type)


@_for("in_map")
def _in_map(writer: Writer, args: list[Value], type: Type) -> Value | None:
    key, entries = args
    if key.kind is not Kind.STRING or entries.shape is None or entries.shape.element is None:
        return None
    writer.constant_cost += 1
    return Value(f"({key.text} in {entries.text})", type)


# --- texts ------------------------------------------------------------------------------------------------------------


def _ends(method: str) -> Quick:
    def make(writer: Writer, args: list[Value], type: Type) -> Value:
        count_text(writer, args[0])
        return Value(f"{args[0].text}.{method}({args[1].text})", type)

    return make


_QUICK |= {"starts_with_string": _ends("startswith"), "ends_with_string": _ends("endswith")}


@_for("contains_string")
def _contains(writer: Writer, args: list[Value], type: Type) -> Value | None:
    text, part = args
    if part.most is None:
        return None
    count_text(writer, text, times=math.ceil(part.most * _PER_CHARACTER) + 1)
    return Value(f"({part.text} in {text.text})", type)


@_for("matches_string", "matches")
def _matches(writer: Writer, args: list[Value], type: Type) -> Value | None:
    text, pattern = args
    if not pattern.constant or pattern.most is None:
        return None
    try:
        found = compiled(eval(pattern.text, writer.names))  # noqa: S307 - a literal that we have written
    except GoRegexError:
        return None
    if found.automaton is None:
        return None
    count_text(writer, text, times=math.ceil(pattern.most * 0.25) + 1)
    return Value(f"{writer.constant(found.automaton.finds)}({text.text})", type)


@_for("add_string")
def _translate_join(writer: Writer, args: list[Value], type: Type) -> Value | None:
    left, right = args
    if left.most is None or right.most is None or left.most + right.most > 1 << 20:
        return None
    most = left.most + right.most
    writer.constant_cost += math.ceil(most * _PER_CHARACTER) + 1
    return Value(f"({left.text} + {right.text})", type, most=most)


#: Upper limit of the cost of one iteration without its body, from the expansion of the macro.
_TURN = 24


def loop(translator: Translator, node: tree.Comprehension) -> Value:
    """Translates a macro.

    Raises:
        UnsupportedError: there is no fast form of it.
    """
    kind = _loop_kind(node)
    if kind is None:
        raise UnsupportedError("an unknown macro")
    return kind(translator, node)


def _loop_kind(node: tree.Comprehension) -> Callable[[Translator, tree.Comprehension], Value] | None:
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
    if isinstance(node.init, tree.ListLiteral) and not node.init.elements and _find_appended(node) is not None:
        return _translate_collection
    return None


def _find_appended(node: tree.Comprehension) -> tuple[tree.Node | None, tree.Node] | None:
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
        return Value(name, type) if element is None else make_item(writer, name, element, type)

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


def _translate_quantifier(translator: Translator, node: tree.Comprehension, *, ends: bool) -> Value:
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
    return _translate_quantifier(translator, node, ends=False)


def _exists(translator: Translator, node: tree.Comprehension) -> Value:
    return _translate_quantifier(translator, node, ends=True)


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


def _translate_collection(translator: Translator, node: tree.Comprehension) -> Value:
    """Translates `map` and `filter`: a list of the results of the body."""
    parts = _find_appended(node)
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
