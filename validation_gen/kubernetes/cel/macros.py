"""Macros, which loops and conditions replace before types are checked, and values of literals.

The API server has the macros of the language, those with two variables, `optMap`, `optFlatMap` and `sortBy`, but not
`cel.bind`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.tree import ACCUMULATOR, LEAF, Call, Comprehension, Depth, Ident, ListLiteral, Node
from validation_gen.kubernetes.cel.types import BOOL, INT

#: Greatest number of nodes after macro expansion. `optMap` doubles its target, so a chain of thirty would exhaust
#: memory.
SIZE = 200_000
#: Name of the variable of a loop that never runs. Expressions cannot spell it.
UNUSED = "#unused"
_SORT_INPUT = "@__sortBy_input__"


class MacroError(Exception):
    """The arguments do not fit the macro."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.message = message
        self.node = node


class TooLargeError(Exception):
    """There are too many nodes."""


_NodeT = TypeVar("_NodeT", bound=Node)


class NodeFactory:
    """Makes nodes, and numbers them."""

    def __init__(self) -> None:
        self.depths: list[Depth] = []

    def make(self, kind: type[_NodeT], offset: int, *parts: Any) -> _NodeT:
        """Makes a node of a kind.

        Raises:
            TooLargeError: there are too many.
        """
        if len(self.depths) >= SIZE:
            raise TooLargeError
        node = kind(len(self.depths), offset, *parts)
        self.depths.append(LEAF)
        return node


class Maker:
    """Makes the nodes of an expansion, with the position of the macro."""

    def __init__(self, factory: NodeFactory, offset: int) -> None:
        self._factory = factory
        self._offset = offset

    def make(self, kind: type[_NodeT], *parts: Any) -> _NodeT:
        return self._factory.make(kind, self._offset, *parts)

    def copy(self, node: Node) -> Node:
        """Copies a tree, with new node ids and the same positions."""
        parts = [self._copy(getattr(node, field.name)) for field in dataclasses.fields(node)[2:]]
        return self._factory.make(type(node), node.offset, *parts)

    def _copy(self, part: object) -> object:
        if isinstance(part, Node):
            return self.copy(part)
        return tuple(self._copy(inner) for inner in part) if isinstance(part, tuple) else part

    def call(self, function: str, *args: Node) -> Node:
        return self.make(Call, function, None, args)

    def method(self, function: str, target: Node, *args: Node) -> Node:
        return self.make(Call, function, target, args)

    def accumulator(self) -> Node:
        return self.make(Ident, ACCUMULATOR)

    def constant(self, value: bool | int) -> Node:
        return self.make(tree.Literal, value, BOOL if isinstance(value, bool) else INT)

    def loop(
        self, target: Node, names: tuple[str, str], init: Node, condition: Node, step: Node, result: Node | None = None
    ) -> Node:
        result = result or self.accumulator()
        return self.make(Comprehension, target, *names, ACCUMULATOR, init, condition, step, result)

    def bound(self, name: str, value: Node, result: Node) -> Node:
        """Makes a loop that never runs: it gives a value a name within the result."""
        step, items, condition = self.make(Ident, name), self.make(ListLiteral, ()), self.constant(False)
        return self.make(Comprehension, items, UNUSED, "", name, value, condition, step, result)


Expander = Callable[[Maker, Any, tuple[Node, ...]], Node]
#: Expanders by name, whether there is a target, and the number of arguments.
MACROS: dict[tuple[str, bool, int], Expander] = {}


def _macro(name: str, *counts: int, method: bool = True) -> Callable[[Expander], Expander]:
    def add(expander: Expander) -> Expander:
        for count in counts:
            MACROS[name, method, count] = expander
        return expander

    return add


def _variable(argument: Node, message: str = "argument must be a simple name") -> str:
    if not isinstance(argument, Ident):
        raise MacroError(message, argument)
    return argument.name


def _variables(args: tuple[Node, ...], count: int, message: str = "argument must be a simple name") -> tuple[str, str]:
    """Returns the one or two variables of a loop; the second is empty if there is one."""
    names = [_variable(argument, message) for argument in args[:count]]
    if count > 1 and names[0] == names[1]:
        raise MacroError(f"duplicate variable name: {names[0]}", args[1])
    for name, argument in zip(names, args, strict=False):
        if name in (ACCUMULATOR, "__result__"):
            raise MacroError("iteration variable overwrites accumulator variable", argument)
    return names[0], names[1] if count > 1 else ""


@_macro("has", 1, method=False)
def _has(maker: Maker, _: None, args: tuple[Node, ...]) -> Node:
    argument = args[0]
    if not isinstance(argument, tree.Select):
        raise MacroError("invalid argument to has() macro", argument)
    return maker.make(tree.Select, argument.operand, argument.field, True)


@_macro("all", 2, 3)
def _all(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    names = _variables(args, len(args) - 1)
    init, condition = maker.constant(True), maker.call("@not_strictly_false", maker.accumulator())
    return maker.loop(target, names, init, condition, maker.call("_&&_", maker.accumulator(), args[-1]))


@_macro("exists", 2, 3)
def _exists(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    names = _variables(args, len(args) - 1)
    init = maker.constant(False)
    condition = maker.call("@not_strictly_false", maker.call("!_", maker.accumulator()))
    return maker.loop(target, names, init, condition, maker.call("_||_", maker.accumulator(), args[-1]))


@_macro("existsOne", 3)
@_macro("exists_one", 2, 3)
def _exists_one(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    names = _variables(args, len(args) - 1)
    init, condition = maker.constant(0), maker.constant(True)
    more = maker.call("_+_", maker.accumulator(), maker.constant(1))
    step = maker.call("_?_:_", args[-1], more, maker.accumulator())
    return maker.loop(target, names, init, condition, step, maker.call("_==_", maker.accumulator(), maker.constant(1)))


def _collect(maker: Maker, target: Node, names: tuple[str, str], transform: Node, filter: Node | None) -> Node:
    """Makes a loop that collects a list."""
    init, condition = maker.make(ListLiteral, ()), maker.constant(True)
    step = maker.call("_+_", maker.accumulator(), maker.make(ListLiteral, (transform,)))
    if filter:
        step = maker.call("_?_:_", filter, step, maker.accumulator())
    return maker.loop(target, names, init, condition, step)


@_macro("map", 2, 3)
def _map(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    names = _variables(args, 1, "argument is not an identifier")
    return _collect(maker, target, names, args[-1], args[1] if len(args) == 3 else None)


@_macro("filter", 2)
def _filter(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    names = _variables(args, 1, "argument is not an identifier")
    return _collect(maker, target, names, args[0], args[1])


@_macro("transformList", 3, 4)
def _transform_list(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    return _collect(maker, target, _variables(args, 2), args[-1], args[2] if len(args) == 4 else None)


def _insert(maker: Maker, target: Node, args: tuple[Node, ...], names: tuple[str, str], *inserted: Node) -> Node:
    """Makes a loop that collects a map."""
    step = maker.call("cel.@mapInsert", maker.accumulator(), *inserted)
    if len(args) == 4:
        step = maker.call("_?_:_", args[2], step, maker.accumulator())
    return maker.loop(target, names, maker.make(tree.MapLiteral, ()), maker.constant(True), step)


@_macro("transformMap", 3, 4)
def _transform_map(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    names = _variables(args, 2)
    return _insert(maker, target, args, names, maker.make(Ident, names[0]), args[-1])


@_macro("transformMapEntry", 3, 4)
def _transform_map_entry(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    return _insert(maker, target, args, _variables(args, 2), args[-1])


def _of_optional(function: str, *, wraps: bool) -> Expander:
    def expand(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
        name = _variable(args[0], f"{function}() variable name must be a simple identifier")
        mapped = maker.bound(name, maker.method("value", maker.copy(target)), args[1])
        if wraps:
            mapped = maker.call("optional.of", mapped)
        return maker.call("_?_:_", maker.method("hasValue", target), mapped, maker.call("optional.none"))

    return expand


_macro("optMap", 2)(_of_optional("optMap", wraps=True))
_macro("optFlatMap", 2)(_of_optional("optFlatMap", wraps=False))


@_macro("sortBy", 2)
def _sort_by(maker: Maker, target: Node, args: tuple[Node, ...]) -> Node:
    if not isinstance(target, ListLiteral | tree.Select | Ident | Comprehension | Call):
        message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        raise MacroError(message, target)
    keys = _map(maker, maker.make(Ident, _SORT_INPUT), args)
    call = maker.method("@sortByAssociatedKeys", maker.make(Ident, _SORT_INPUT), keys)
    return maker.bound(_SORT_INPUT, target, call)


_ESCAPE = re.compile(r"\\(?:([abfnrtv\\'\"`?])|[xX]([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2}))")
_SIMPLE = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_PREFIX = re.compile(r"[bBrR]*")


class BadLiteral(Exception):  # noqa: N818
    """A literal has the right form but no value."""


def integer(text: str, *, unsigned: bool = False) -> int:
    """Parses a decimal or hexadecimal number in the range of 64 bits; `text` may have a sign and no suffix."""
    value = int(text, 16 if "0x" in text else 10) if len(text) < 100 else 1 << 64
    low, high = (0, (1 << 64) - 1) if unsigned else (-(1 << 63), (1 << 63) - 1)
    if not low <= value <= high:
        raise BadLiteral("invalid uint literal" if unsigned else "invalid int literal")
    return value


def double(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise BadLiteral("invalid double literal")
    return value


def string(text: str) -> str | bytes:
    """Returns the value of a string or bytes literal with its quotes and prefixes."""
    prefix = _PREFIX.match(text)[0].lower()  # type: ignore[index]
    body = text[len(prefix) :].replace("\r\n", "\n").replace("\r", "\n")
    quotes = 3 if body[:3] in ('"""', "'''") and len(body) >= 6 else 1
    body = body[quotes:-quotes]
    if "r" not in prefix and "\\" in body:
        _check_escapes(text, quotes + len(prefix))
        if "b" in prefix:
            return b"".join(_byte_pieces(body))
        return _ESCAPE.sub(_character, body)
    return body.encode() if "b" in prefix else body


def _check_escapes(text: str, start: int) -> None:
    """Raises unless each backslash begins an escape; with the words of upstream's lexer, which stops there."""
    at = text.find("\\", start)
    while at >= 0:
        if not (match := _ESCAPE.match(text, at)):
            wrong = at + 1
            if digits := re.compile(r"\\(?:[xX][\da-fA-F]{0,1}|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|[0-3][0-7]?)").match(
                text, at
            ):
                wrong = digits.end()
            raise BadLiteral(f"Syntax error: token recognition error at: '{text[: wrong + 1]}'")
        at = text.find("\\", match.end())


def _character(match: re.Match[str]) -> str:
    simple, byte, short, long, octal = match.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    code = int(octal, 8) if octal else int(byte or short or long, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise BadLiteral("invalid unicode code point")
    return chr(code)


def _byte_pieces(body: str) -> list[bytes]:
    pieces = []
    last = 0
    for match in _ESCAPE.finditer(body):
        pieces.append(body[last : match.start()].encode())
        last = match.end()
        simple, byte, short, long, octal = match.groups()
        if short or long:
            raise BadLiteral("unable to unescape string")
        if simple:
            pieces.append(_SIMPLE.get(simple, simple).encode())
        else:
            pieces.append(bytes([int(octal, 8) if octal else int(byte, 16)]))
    return [*pieces, body[last:].encode()]
