"""Which calls lead back to where they come from: those of functions for types that contain themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence


def circles(functions: Sequence[ast.FunctionDef]) -> Iterator[ast.Call]:
    """The calls between functions of one module by which a function can reach itself."""
    names = {function.name for function in functions}
    calls = {function.name: list(_calls(function, names)) for function in functions}
    circle = _circles({name: {_callee(call) for call in found} for name, found in calls.items()})
    for name, found in calls.items():
        yield from (call for call in found if circle.get(_callee(call)) == circle.get(name, -1))


def _calls(function: ast.FunctionDef, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def _callee(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Name)
    return call.func.id


def _circles(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """The number of the circle that a function is in; nothing for one that cannot reach itself.

    These are the strongly connected components after Tarjan, without recursion.
    """
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: dict[str, int] = {}
    for root in graph:
        if root in order:
            continue
        work = [(root, iter(sorted(graph[root])))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, rest = work[-1]
            follower = next(rest, None)
            if follower is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    component: list[str] = []
                    while not component or component[-1] != name:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1 or name in graph[name]:
                        found.update(dict.fromkeys(component, order[name]))
            elif follower not in order:
                order[follower] = low[follower] = len(order)
                stack.append(follower)
                on_stack.add(follower)
                work.append((follower, iter(sorted(graph[follower]))))
            elif follower in on_stack:
                low[name] = min(low[name], order[follower])
    return found
