"""Mistakes in constants of a well-typed expression: each would fail at every evaluation.

The server converts constants when it admits a rule: `int('12')` is fine, `int('a')` is not. Kubernetes adds validators
to the checker: literal durations and timestamps, regular expressions, lists and maps whose elements differ in type, and
format strings (`'%d of %s'.format([self.count, self.name])`).
"""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.functions import accepts
from validation_gen.kubernetes.cel.functions.conversions import CONVERSIONS
from validation_gen.kubernetes.cel.functions.formatting import read_clause
from validation_gen.kubernetes.cel.tree import Issue, Typed
from validation_gen.kubernetes.cel.types import Kind, Type, spell, unwrap_optional
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.runtime.goregex import GoRegexError, compiled

#: Functions whose constant pattern is compiled in advance.
MATCHING = ("matches", "find", "findAll")


def find_regex_error(pattern: str) -> str:
    """Returns Go's error for a regular expression, which the API server reads with `regexp`; `""` if it compiles."""
    try:
        compiled(pattern)
    except GoRegexError as error:
        return str(error)
    return ""


_NUMBERS = (Kind.INT, Kind.UINT)
_PRINTABLE = (
    *(Kind.LIST, Kind.MAP, Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL, Kind.STRING, Kind.TIMESTAMP, Kind.BYTES),
    *(Kind.DURATION, Kind.TYPE, Kind.NULL),
)
_STRING = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and "
    "timestamps"
)
_HEX = "only integers, byte buffers, and strings can be formatted as hex"
_CLAUSES: dict[str, tuple[str, tuple[Kind, ...]]] = {
    "s": (_STRING, _PRINTABLE),
    "d": ("decimal clause can only be used on integers", _NUMBERS),
    "f": ("fixed-point clause can only be used on doubles", (Kind.DOUBLE, Kind.STRING)),
    "e": ("scientific clause can only be used on doubles", (Kind.DOUBLE, Kind.STRING)),
    "b": ("only integers and bools can be formatted as binary", (*_NUMBERS, Kind.BOOL)),
    "x": (_HEX, (*_NUMBERS, Kind.STRING, Kind.BYTES)),
    "X": (_HEX, (*_NUMBERS, Kind.STRING, Kind.BYTES)),
    "o": ("octal clause can only be used on integers", _NUMBERS),
}


class _FormatError(Exception):
    def __init__(self, message: str, node: tree.Node | None = None) -> None:
        super().__init__(message)
        self.node = node


def format_issues(typed: Typed, call: tree.Call) -> Iterator[Issue]:
    """Yields at most one mistake for a call whose format and list of arguments are literals."""
    target = call.target
    if not isinstance(target, tree.Literal) or not isinstance(target.value, str):
        return
    if len(call.args) != 1 or not isinstance(call.args[0], tree.ListLiteral):
        return
    args = call.args[0].elements
    try:
        used = _count_used(typed, target.value, args)
    except _FormatError as error:
        yield Issue(str(error), (error.node or call).offset)
        return
    if len(args) > used:
        message = f"too many arguments supplied to string.format (expected {used}, got {len(args)})"
        yield Issue(message, call.offset)


def _count_used(typed: Typed, text: str, args: tuple[tree.Node, ...]) -> int:
    """Returns how many arguments the clauses use."""
    used = at = 0
    characters = text.encode().decode("latin-1")  # bytes, as upstream counts
    while (at := characters.find("%", at)) >= 0:
        if characters[at + 1 : at + 2] == "%":
            at += 2
            continue
        if at + 1 >= len(characters):
            raise _FormatError("unexpected end of string")
        if used >= len(args):
            raise _FormatError(f"index {used} out of range")
        at = _clause(typed, characters, at + 1, args[used])
        used += 1
    return used


def _clause(typed: Typed, text: str, at: int, argument: tree.Node) -> int:
    """Returns the position after a clause; raises if the argument does not fit."""
    try:
        _, at = read_clause(text, at)
    except EvaluationError as error:
        raise _FormatError(error.message) from None
    message, kinds = _CLAUSES[text[at]]
    if bad := _unfit(typed, argument, kinds, deep=text[at] == "s"):
        raise _FormatError(f"error during formatting: {message}, was given {_type(typed, bad).name}", bad)
    return at + 1


def _unfit(typed: Typed, node: tree.Node, kinds: tuple[Kind, ...], *, deep: bool) -> tree.Node | None:
    """Returns the argument, or with `deep` a literal part of it, whose type is not one of the kinds."""
    kind = _type(typed, node).kind
    if kind is not Kind.DYN and kind not in kinds:
        return node
    if deep and isinstance(node, tree.ListLiteral):
        return next(filter(None, (_unfit(typed, inner, kinds, deep=True) for inner in node.elements)), None)
    if deep and isinstance(node, tree.MapLiteral):
        inner = [part for entry in node.entries for part in (entry.key, entry.value)]
        return next(filter(None, (_unfit(typed, part, kinds, deep=True) for part in inner)), None)
    return None


def _type(typed: Typed, node: tree.Node) -> Type:
    return typed.types[node.id]


def constant_issues(typed: Typed) -> list[Issue]:
    """Returns all mistakes in constants; empty for an expression that the server accepts."""
    issues: list[Issue] = []
    pending: list[tuple[tree.Node, bool]] = [(typed.expression.root, False)]
    while pending:
        node, formatted = pending.pop()
        if isinstance(node, tree.Call):
            function = typed.function(node)
            issues += _literal_issues(node, function)
            if function == "format":
                issues += format_issues(typed, node)
                formatted = True  # the arguments of a format may be of many types
        elif isinstance(node, tree.ListLiteral) and not formatted:
            issues += _list_issues(typed, node)
        elif isinstance(node, tree.MapLiteral) and not formatted:
            issues += _map_issues(typed, node)
        pending += [(child, formatted) for child in tree.children(node)]
    return issues


def _literal_issues(node: tree.Call, function: str) -> Iterator[Issue]:
    if function not in ("duration", "timestamp", "matches") or not node.args:
        return
    argument = node.args[0]
    if not isinstance(argument, tree.Literal):
        return
    if function == "matches":
        wrong = isinstance(argument.value, str) and bool(find_regex_error(argument.value))
    else:
        wrong = argument.type.kind is Kind.INT and function == "duration"
        wrong = wrong or not accepts(CONVERSIONS[function])(argument.value)
    if wrong:
        yield Issue(f"invalid {function} argument", argument.offset)


def _list_issues(typed: Typed, node: tree.ListLiteral) -> Iterator[Issue]:
    expected: Type | None = None
    for index, element in enumerate(node.elements):
        found = typed.types[element.id]
        if index in node.optional:
            found, _ = unwrap_optional(found)
        if expected is None:
            expected = found
        elif found != expected:
            yield _mismatch(element, expected, found)
            return


def _map_issues(typed: Typed, node: tree.MapLiteral) -> Iterator[Issue]:
    expected: tuple[Type, Type] | None = None
    for entry in node.entries:
        key, value = typed.types[entry.key.id], typed.types[entry.value.id]
        if entry.optional:
            value, _ = unwrap_optional(value)
        if expected is None:
            expected = key, value
            continue
        if key != expected[0]:
            yield _mismatch(entry.key, expected[0], key)
        if value != expected[1]:
            yield _mismatch(entry.value, expected[1], value)


def _mismatch(node: tree.Node, expected: Type, found: Type) -> Issue:
    return Issue(f"expected type '{spell(expected)}' but found '{spell(found)}'", node.offset)
