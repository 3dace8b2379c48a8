"""Explains why an expression has its value: the values of the parts that decided it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.plan import planned
from validation_gen.kubernetes.cel.running import CostExceededError
from validation_gen.kubernetes.cel.spelling import predicate_of, quantifier_of, spelled
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.values import EvaluationError

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


def explained(typed: Typed, values: Mapping[str, Any]) -> list[Part]:
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
            plan = planned(replace(self._typed, expression=expression), tuple(values))
            return plan.run(tuple(values.values()), _LIMIT)[0]
        except EvaluationError as error:
            return error
        except CostExceededError:
            return EvaluationError("it costs too much")

    def parts(self, node: tree.Node, values: Mapping[str, Any], depth: int) -> Iterator[Part]:
        value = self.value(node, values)
        yield Part(depth, spelled(node), value)
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
                yield Part(depth + 1, spelled(node.args[0]), condition)
                if isinstance(condition, bool):
                    yield from self.parts(node.args[1 if condition else 2], values, depth + 1)
            case tree.Call():
                for part in tree.children(node):
                    if not isinstance(part, tree.Literal):
                        yield Part(depth + 1, spelled(part), self.value(part, values))
            case tree.Comprehension():
                yield from self._loop(node, values, depth + 1)

    def _loop(self, node: tree.Comprehension, values: Mapping[str, Any], depth: int) -> Iterator[Part]:
        """Explains the item that decided a loop; for `exists` without a match, the first one."""
        predicate, name = predicate_of(node), quantifier_of(node)
        items = self.value(node.range, values)
        if predicate is None or isinstance(items, EvaluationError):
            yield Part(depth, spelled(node.range), items)
            return
        yield Part(depth, f"size({spelled(node.range)})", len(items))
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
