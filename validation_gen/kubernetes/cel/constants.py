"""Conversions of constants, which the server runs when it admits a rule: `int('12')` is fine, `int('a')` is not."""

from __future__ import annotations

from typing import NamedTuple

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.declarations import VALUE_TYPES
from validation_gen.kubernetes.cel.functions.conversions import CONVERSIONS
from validation_gen.kubernetes.cel.tree import Typed
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.kubernetes.cel.values import EvaluationError, TypeValue, Uint
from validation_gen.runtime.goregex import GoRegexError, compiled

_CONVERSIONS = frozenset("bool bytes double dyn duration int string timestamp type uint".split())
#: Functions whose constant pattern is compiled in advance.
MATCHING = ("matches", "find", "findAll")
#: Constants that cannot be keys, as Go spells their types.
_NO_KEYS = {
    Kind.NULL: "types.Null",
    Kind.BYTES: "types.Bytes",
    Kind.TIMESTAMP: "types.Timestamp",
    Kind.DURATION: "types.Duration",
    Kind.TYPE: "*types.Type",
    Kind.LIST: "*types.baseList",
    Kind.MAP: "*types.baseMap",
}


class Constant(NamedTuple):
    """A known value; types have none, and lists and maps are shown without their items."""

    type: Type
    value: object


class ConversionError(Exception):
    """A constant cannot be converted."""


def first_problem(typed: Typed) -> str:
    """Returns why the server cannot make a program of a correct expression; empty if it can."""
    try:
        _folded(typed, typed.expression.root)
    except ConversionError as error:
        return str(error)
    return ""


def _folded(typed: Typed, node: tree.Node) -> Constant | None:
    """Returns the constant value of a node, if there is one, after its children have been checked."""
    known = [_folded(typed, child) for child in tree.children(node)]
    if isinstance(node, tree.Literal):
        return Constant(node.type, node.value)
    if name := _unknown_type(typed, node):
        raise ConversionError(f"reference to undefined type: {name}")
    if isinstance(node, tree.Ident | tree.Select) and typed.types[node.id].kind is Kind.TYPE:
        return Constant(types.TYPE, None)
    if isinstance(node, tree.Entry) and None not in known:
        return Constant(types.DYN, None)
    if isinstance(node, tree.ListLiteral | tree.MapLiteral) and None not in known:
        is_list = isinstance(node, tree.ListLiteral)
        return Constant(typed.types[node.id], [] if is_list else {})
    if isinstance(node, tree.Call):
        function = typed.function(node)
        if function in _CONVERSIONS and len(known) == 1 and known[0] is not None:
            return _converted(function, known[0])
        if function in ("_[_]", "_[?_]") and (key := known[1]) and key.type.kind in _NO_KEYS:
            raise ConversionError(f"invalid qualifier type: {_NO_KEYS[key.type.kind]}")
        pattern = known[-1 if function == "matches" else 1] if function in MATCHING and len(known) > 1 else None
        if pattern and isinstance(pattern.value, str) and (problem := find_regex_error(pattern.value)):
            raise ConversionError(problem)
    return None


def _unknown_type(typed: Typed, node: tree.Node) -> str:
    """Returns the name that a program looks up as a type and does not find, as it does with each name of a type's type.

    `duration` and `timestamp` are types for the checker, but not for programs; and no variable of a loop is one.
    """
    if typed.types[node.id].kind is not Kind.TYPE:
        return ""
    name = node.name if isinstance(node, tree.Ident) else typed.names.get(node.id, "")
    name = name.removeprefix(".")
    return "" if name in VALUE_TYPES else name


def converted(function: str, literal: tree.Literal) -> None:
    """Checks the conversion of a literal.

    Raises:
        ConversionError: the literal cannot be converted.
    """
    _converted(function, Constant(literal.type, literal.value))


def _converted(function: str, constant: Constant) -> Constant:
    if function == "dyn":
        return constant
    if function == "type":
        return Constant(types.TYPE, None)
    target = _TARGETS[function]
    if (constant.type.kind, target.kind) == (Kind.INT, Kind.DURATION):
        # Servers before 1.37 have such a function, which never works.
        raise ConversionError("type conversion error from 'int' to 'google.protobuf.Duration'")
    try:
        return Constant(target, CONVERSIONS[function](_value(constant)))
    except EvaluationError as error:
        raise ConversionError(error.message) from None


def _value(constant: Constant) -> object:
    """Returns the value in its form at run time."""
    if constant.type.kind is Kind.TYPE:
        return TypeValue(constant.type.name)
    if constant.type.kind is Kind.UINT and isinstance(constant.value, int):
        return Uint(constant.value)
    return constant.value


_TARGETS = {
    "bool": types.BOOL,
    "bytes": types.BYTES,
    "double": types.DOUBLE,
    "duration": types.DURATION,
    "int": types.INT,
    "string": types.STRING,
    "timestamp": types.TIMESTAMP,
    "uint": types.UINT,
}


def find_regex_error(pattern: str) -> str:
    """Returns Go's error for a regular expression, which the API server reads with `regexp`; `""` if it compiles."""
    try:
        compiled(pattern)
    except GoRegexError as error:
        return str(error)
    return ""
