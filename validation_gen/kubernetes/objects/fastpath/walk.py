"""Walks an object beside the table of its schema in pure Python, where there is no native code.

It answers as native code does: an object with its defaults, or a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from operator import is_
from types import SimpleNamespace
from typing import Any

from validation_gen.kubernetes.cel.compiled import DoubtError
from validation_gen.runtime.fastpath.nodes import LEAST, MOST, Node
from validation_gen.runtime.native import accept

#: Returns a valid value with its defaults; raises DoubtError if something may be wrong.
Walk = Callable[[Any], Any]

_OPS = "NEVER ANY DATA TEXT INTEGER BOOLEAN NUMBER INT_OR_TEXT LIST MAP STRUCT".split()
_FLAGS = "CLOSED OPEN FILLS DEFAULT PARTS WANTED NOT_NULL".split()
#: The numbers in tables: those of native code, if there is any.
CODE: Any = accept or SimpleNamespace(
    **{name: number for number, name in enumerate(_OPS)}, **{name: 1 << number for number, name in enumerate(_FLAGS)}
)


def make_walk(nodes: Sequence[Node]) -> Callable[[Any], dict[str, Any] | None]:
    """Returns the function of a table that `Acceptor.ready` is in native code."""
    walks: list[Walk] = [_doubt] * len(nodes)
    for index in reversed(range(len(nodes))):  # the places within a value come after its own
        walks[index] = _MAKERS[nodes[index].op](nodes[index], walks)

    def ready(obj: Any) -> dict[str, Any] | None:
        try:
            return walks[0](obj)  # type: ignore[no-any-return]  # the root is an object
        except (DoubtError, ValueError, RecursionError):
            return None

    return ready


def _doubt(_: Any) -> Any:
    raise DoubtError


def _keep(value: Any) -> Any:
    return value


def _check(node: Node, value: Any) -> Any:
    """Returns a value if the functions of its place accept it."""
    for check, *_ in node.calls:
        if check(value) is not None:
            raise DoubtError
    return value


def _walk_data(value: Any) -> Any:
    """Accepts data without a schema, but no floats: they may be stored in another form."""
    kind = value.__class__
    if kind is str:
        return _check_text(value)
    if kind is dict:
        for name, item in value.items():
            if name.__class__ is not str:
                raise DoubtError
            if item is not None:
                _walk_data(item)
    elif kind is list:
        for item in value:
            if item is not None:
                _walk_data(item)
    elif kind is not bool and (kind is not int or not LEAST <= value <= MOST):
        raise DoubtError
    return value


def _check_text(text: str) -> str:
    if not text.isascii():
        text.encode()  # raises for halves of surrogate pairs
    return text


def _text(node: Node, _: list[Walk]) -> Walk:
    least, most, values, calls = node.min, node.max, node.values, node.calls
    patterns = [(known, check) for _, _, known, check, _ in node.patterns]

    def walk(value: Any) -> Any:
        if value.__class__ is not str or not least <= len(value) <= most:
            raise DoubtError
        if values is not None and value not in values:
            raise DoubtError
        for known, check in patterns:
            if value not in known and check(value) is not None:
                raise DoubtError
        _check_text(value)
        return _check(node, value) if calls else value

    return walk


def _integer(node: Node, _: list[Walk]) -> Walk:
    low, high, values, calls = node.low, node.high, node.values, node.calls

    def walk(value: Any) -> Any:
        if value.__class__ is not int or not low <= value <= high or (values is not None and value not in values):
            raise DoubtError
        return _check(node, value) if calls else value

    return walk


def _of_class(*kinds: type) -> Callable[[Node, list[Walk]], Walk]:
    """Returns a maker of walks for values of some classes, whose limits are functions."""

    def make(node: Node, _: list[Walk]) -> Walk:
        def walk(value: Any) -> Any:
            if value.__class__ not in kinds or (value.__class__ is int and not LEAST <= value <= MOST):
                raise DoubtError
            if value.__class__ is str:
                _check_text(value)
            return _check(node, value)

        return walk

    return make


def _list(node: Node, walks: list[Walk]) -> Walk:
    least, most, item = node.min, node.max, walks[node.item]

    def walk(value: Any) -> Any:
        if value.__class__ is not list or not least <= len(value) <= most:
            raise DoubtError
        found = [item(each) for each in value]
        if all(map(is_, found, value)):
            found = value
        if node.unique is not None and len(value) > 1:
            keys = [name for name, _ in node.unique]
            rows = {tuple([each.get(key) for key in keys]) if keys else each for each in found}
            if len(rows) < len(found):
                raise DoubtError
        return _check(node, found)

    return walk


def _map(node: Node, walks: list[Walk]) -> Walk:
    least, most, name, item = node.min, node.max, walks[node.key], walks[node.item]

    def walk(value: Any) -> Any:
        if value.__class__ is not dict or not least <= len(value) <= most:
            raise DoubtError
        found = {name(key): item(each) for key, each in value.items()}
        return _check(node, value if all(map(is_, found.values(), value.values())) else found)

    return walk


def _struct(node: Node, walks: list[Walk]) -> Walk:
    members = {name: walks[inner] for name, inner, _, _ in node.members}
    wanted = [name for name, _, flags, _ in node.members if flags & CODE.WANTED]
    defaults = [(name, default) for name, _, flags, default in node.members if flags & CODE.DEFAULT]
    is_closed, calls = node.flags & CODE.CLOSED, node.calls

    def walk(value: Any) -> Any:
        if value.__class__ is not dict:
            raise DoubtError
        found: Any = value
        for name, item in value.items():
            member = members.get(name)
            if member is not None:
                part = member(item)
                if part is not item:
                    if found is value:
                        found = value.copy()
                    found[name] = part
            elif is_closed or name.__class__ is not str:
                raise DoubtError
            elif item is not None:
                _walk_data(item)
        for name in wanted:
            if name not in value:
                raise DoubtError
        for name, default in defaults:
            if name not in value:
                found = dict(value) if found is value else found
                found[name] = members[name](deepcopy(default))
        return _check(node, found) if calls else found

    return walk


_MAKERS: dict[int, Callable[[Node, list[Walk]], Walk]] = {
    CODE.NEVER: lambda _node, _walks: _doubt,
    CODE.ANY: lambda _node, _walks: _keep,
    CODE.DATA: lambda _node, _walks: _walk_data,
    CODE.TEXT: _text,
    CODE.INTEGER: _integer,
    CODE.BOOLEAN: _of_class(bool),
    CODE.NUMBER: _of_class(int, float),
    CODE.INT_OR_TEXT: _of_class(str, int),
    CODE.LIST: _list,
    CODE.MAP: _map,
    CODE.STRUCT: _struct,
}
