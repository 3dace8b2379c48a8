"""Writes parts of expressions as text, with the macros that they come from.

The value of an expression is explained by the values of the parts that decided it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.plan import make_plan
from validation_gen.kubernetes.cel.tree import Typed
from validation_gen.kubernetes.cel.types import Kind
from validation_gen.kubernetes.cel.values import EvaluationError

_INFIX = {
    f"_{operator}_": operator for operator in ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%")
}
_INFIX["@in"] = "in"
#: Precedence of operators; weaker ones get brackets inside stronger ones.
_STRENGTH = {"||": 1, "&&": 2, "in": 3, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5}
_TIGHTEST = 9
#: Quantifiers by the function that the step of their loop calls.
_QUANTIFIERS = {"_&&_": "all", "_||_": "exists", "_?_:_": "exists_one"}


def spell_expression(node: tree.Node) -> str:
    """Returns a part of an expression as source text."""
    return _spell(node)[0]


def _spell(node: tree.Node) -> tuple[str, int]:
    """Returns the text and its precedence."""
    match node:
        case tree.Literal():
            return _literal(node), _TIGHTEST
        case tree.Ident():
            return node.name, _TIGHTEST
        case tree.Select():
            text = f"{_bracket(node.operand, _TIGHTEST)}.{node.field}"
            return (f"has({text})" if node.test_only else text), _TIGHTEST
        case tree.ListLiteral():
            return f"[{', '.join(map(spell_expression, node.elements))}]", _TIGHTEST
        case tree.MapLiteral() | tree.ObjectLiteral():
            entries = (f"{spell_expression(each.key)}: {spell_expression(each.value)}" for each in node.entries)
            return f"{{{', '.join(entries)}}}", _TIGHTEST
        case tree.Comprehension():
            return _macro(node), _TIGHTEST
        case tree.Call():
            return _call(node)
    return "…", _TIGHTEST


def _bracket(node: tree.Node, strength: int) -> str:
    text, own = _spell(node)
    return text if own >= strength else f"({text})"


def _literal(node: tree.Literal) -> str:
    if isinstance(node.value, str):
        if not node.value.isprintable() or "'" in node.value or node.value.endswith("\\"):
            return json.dumps(node.value, ensure_ascii=False)
        raw = "r" if "\\" in node.value else ""
        return f"{raw}'{node.value}'"
    if isinstance(node.value, bytes):
        return repr(node.value)
    return f"{json.dumps(node.value)}{'u' if node.type.kind is Kind.UINT else ''}"


def _call(node: tree.Call) -> tuple[str, int]:
    args = node.args
    if node.function in _INFIX and len(args) == 2:
        operator = _INFIX[node.function]
        strength = _STRENGTH.get(operator, 3)
        return f"{_bracket(args[0], strength)} {operator} {_bracket(args[1], strength + 1)}", strength
    match node.function:
        case "!_" | "-_":
            return f"{node.function[0]}{_bracket(args[0], _TIGHTEST)}", _TIGHTEST
        case "_?_:_":
            return f"{_bracket(args[0], 1)} ? {_bracket(args[1], 1)} : {spell_expression(args[2])}", 0
        case "_[_]":
            return f"{_bracket(args[0], _TIGHTEST)}[{spell_expression(args[1])}]", _TIGHTEST
        case "_[?_]":
            return f"{_bracket(args[0], _TIGHTEST)}[?{spell_expression(args[1])}]", _TIGHTEST
        case "_?._":
            field = str(args[1].value) if isinstance(args[1], tree.Literal) else "…"
            return f"{_bracket(args[0], _TIGHTEST)}.?{field}", _TIGHTEST
    text = f"{node.function}({', '.join(map(spell_expression, args))})"
    return (text if node.target is None else f"{_bracket(node.target, _TIGHTEST)}.{text}"), _TIGHTEST


def _macro(node: tree.Comprehension) -> str:
    """Writes a loop as `x.all(a, …)`, as far as its form shows the macro."""
    variables = ", ".join(filter(None, (node.var, node.var2)))
    body = find_predicate(node)
    name = find_quantifier(node) or "map"
    return (
        f"{_bracket(node.range, _TIGHTEST)}.{name}({variables}, {spell_expression(body) if body is not None else '…'})"
    )


def find_quantifier(node: tree.Comprehension) -> str:
    """Returns `all`, `exists` or `exists_one`; empty for other loops."""
    step = node.step.function if isinstance(node.step, tree.Call) else ""
    if not isinstance(node.init, tree.Literal):
        return ""
    return _QUANTIFIERS.get(step, "") if node.init.type.kind in (Kind.BOOL, Kind.INT) else ""


def find_predicate(node: tree.Comprehension) -> tree.Node | None:
    """Returns the predicate of a quantifier."""
    if not isinstance(node.step, tree.Call) or not (name := find_quantifier(node)):
        return None
    return node.step.args[0 if name == "exists_one" else 1]


#: Greatest cost of evaluating one part, and greatest number of reported parts.
_LIMIT, _MOST_PARTS = 1_000_000, 50


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an expression.

    Attributes:
        depth: the number of enclosing parts.
        text: the part, or the name of a loop's variable.
        value: its CEL value; an error is a value, too.
    """

    depth: int
    text: str
    value: Any


def explain(typed: Typed, values: Mapping[str, Any]) -> list[Part]:
    """Returns the parts that decided the value of an expression, outermost first, and at most `_MOST_PARTS` of them."""
    found: list[Part] = []
    for part in _Explainer(typed).parts(typed.expression.root, values, 0):
        if len(found) == _MOST_PARTS:
            break
        found.append(part)
    return found


class _Explainer:
    def __init__(self, typed: Typed) -> None:
        self._typed = typed

    def value(self, node: tree.Node, values: Mapping[str, Any]) -> Any:
        expression = replace(self._typed.expression, root=node)
        try:
            plan = make_plan(replace(self._typed, expression=expression), tuple(values))
            return plan.run(tuple(values.values()), _LIMIT)[0]
        except EvaluationError as error:
            return error
        except CostExceededError:
            return EvaluationError("it costs too much")

    def parts(self, node: tree.Node, values: Mapping[str, Any], depth: int) -> Iterator[Part]:
        value = self.value(node, values)
        yield Part(depth, spell_expression(node), value)
        match node:
            case tree.Call(function="_&&_"):
                for arg in node.args:
                    if self.value(arg, values) is not True:
                        yield from self.parts(arg, values, depth + 1)
                        return
            case tree.Call(function="_||_"):
                for arg in node.args if value is not True else ():
                    yield from self.parts(arg, values, depth + 1)
            case tree.Call(function="!_"):
                yield from self.parts(node.args[0], values, depth + 1)
            case tree.Call(function="_?_:_"):
                condition = self.value(node.args[0], values)
                yield Part(depth + 1, spell_expression(node.args[0]), condition)
                if isinstance(condition, bool):
                    yield from self.parts(node.args[1 if condition else 2], values, depth + 1)
            case tree.Call():
                parts = node.args if node.id in self._typed.static else tree.children(node)
                for part in parts:
                    if not isinstance(part, tree.Literal):
                        yield Part(depth + 1, spell_expression(part), self.value(part, values))
            case tree.Comprehension():
                yield from self._loop(node, values, depth + 1)

    def _loop(self, node: tree.Comprehension, values: Mapping[str, Any], depth: int) -> Iterator[Part]:
        """Explains the item that decided a loop; for `exists` without a match, the first one."""
        predicate, name = find_predicate(node), find_quantifier(node)
        items = self.value(node.range, values)
        if predicate is None or isinstance(items, EvaluationError):
            yield Part(depth, spell_expression(node.range), items)
            return
        yield Part(depth, f"size({spell_expression(node.range)})", len(items))
        for item in _items(node, items):
            within = {**values, **item}
            if name != "all" or self.value(predicate, within) is not True:
                for variable, value in item.items():
                    yield Part(depth, variable, value)
                yield from self.parts(predicate, within, depth + 1)
                return


def _items(node: tree.Comprehension, items: Any) -> Iterator[dict[str, Any]]:
    """Yields the values of a loop's variables in each iteration."""
    is_list = isinstance(items, list | ListView)
    if not node.var2:
        yield from ({node.var: item} for item in items)
        return
    for key, value in enumerate(items) if is_list else items.items():
        yield {node.var: key, node.var2: value}
