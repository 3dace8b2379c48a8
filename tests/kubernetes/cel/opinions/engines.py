"""What implementations of CEL say of an expression, in one form: a value with its type, or that there is none."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any
from unittest.mock import patch

import pytest

from tests.kubernetes.cel.opinions.drawing import VALUES, Grammar
from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment, functions
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.plan import make_plan
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.types import Type
from validation_gen.kubernetes.cel.values import Duration, EvaluationError, Timestamp, TypeValue, Uint

#: Asks about a text with the values of variables.
Engine = Callable[[str, Mapping[str, Any]], Any]

#: Neither a compiler nor a run gives a value.
ERROR = ("error", None)
#: There is nothing to compare: a server refuses the expression, or it orders NaN, which others do and cel-go does not.
REFUSED = ("refused", None)
_TYPES: dict[str, Type] = {
    "int": types.INT,
    "uint": types.UINT,
    "double": types.DOUBLE,
    "string": types.STRING,
    "bytes": types.BYTES,
    "bool": types.BOOL,
    "ints": types.list_type(types.INT),
    "texts": types.list_type(types.STRING),
    "map": types.map_type(types.STRING, types.INT),
}
ENVIRONMENT = Environment({name: _TYPES[kind] for name, (kind, _) in VALUES.items()}, functions(36, stored=True), {})
_UNORDERED = "NaN values cannot be ordered"
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)


def ours(text: str, values: Mapping[str, Any]) -> Any:
    """Our evaluator. As a server does, it works constants out beforehand, so that one that fails is `REFUSED`."""
    told: list[str] = []

    def note(error: EvaluationError, text: str, *rest: object) -> None:
        told.append(text)
        error.message = text

    with patch.object(EvaluationError, "__init__", note):
        found = _ours(text, values)
    return REFUSED if _UNORDERED in told else found


def _ours(text: str, values: Mapping[str, Any]) -> Any:
    try:
        typed = check_expression(parse(text, quoted=False), ENVIRONMENT)
    except InvalidExpression:
        return ERROR
    try:
        found, _ = make_plan(typed, tuple(VALUES)).run([values[name] for name in VALUES], 1 << 62)
    except EvaluationError:
        return REFUSED
    return ERROR if isinstance(found, EvaluationError) else plain(found)


def plain(value: Any) -> Any:
    """A value with its type, in which `1`, `1u`, `1.0` and `true` differ, and lists and maps are what they hold."""
    if isinstance(value, list):
        return ("list", [plain(each) for each in value])
    if isinstance(value, Mapping):
        return ("map", sorted(((plain(key), plain(each)) for key, each in value.items()), key=repr))
    if isinstance(value, float):
        return ("double", repr(value))
    if isinstance(value, Timestamp | Duration):
        return (type(value).__name__, value.nanoseconds // 1000)
    if isinstance(value, TypeValue):
        return ("type", value.name)
    return (type(value).__name__, value)


#: Fractions of seconds have three, six or nine digits there, and `'a'.substring(0, 1)` is an error.
CPP = Grammar(differing=frozenset({"string({time})", "{string}.substring({int}, {int})"}))


def of_cpp() -> Engine:
    """cel-cpp, which `cel-expr-python` wraps."""
    cel, ext_optional, ext_strings = (
        pytest.importorskip(f"cel_expr_python.{name}", reason="cel-expr-python has wheels for Python 3.11 to 3.14")
        for name in ("cel", "ext.ext_optional", "ext.ext_strings")
    )
    declared = {name: _cpp_type(cel.Type, kind) for name, (kind, _) in VALUES.items()}
    environment = cel.NewEnv(variables=declared, extensions=[ext_optional.ExtOptional(), ext_strings.ExtStrings()])

    def ask(text: str, values: Mapping[str, Any]) -> Any:
        try:
            found = environment.compile(text).eval(data={name: _native(value) for name, value in values.items()})
        except RuntimeError:
            return ERROR
        return _from_cpp(found)

    return ask


def _native(value: Any) -> Any:
    return int(value) if isinstance(value, Uint) else value


def _cpp_type(type: Any, kind: str) -> Any:
    made = {
        "ints": lambda: type.List(type.INT),
        "texts": lambda: type.List(type.STRING),
        "map": lambda: type.Map(type.STRING, type.INT),
    }
    return made[kind]() if kind in made else getattr(type, kind.upper())


def _from_cpp(value: Any) -> Any:
    name, found = value.type().name().partition("<")[0], value.value()
    match name:
        case "ERROR" | "UNKNOWN":
            return ERROR
        case "UINT":
            return plain(Uint(found))
        case "BYTES":
            return plain(bytes(found))
        case "LIST":
            return ("list", [_from_cpp(each) for each in found])
        case "MAP":
            return ("map", sorted(((plain(key), _from_cpp(each)) for key, each in found.items()), key=repr))
        case "TIMESTAMP":
            return ("Timestamp", (found - _EPOCH) // _MICROSECOND)
        case "DURATION":
            return ("Duration", found // _MICROSECOND)
    return plain(found)


#: No types are checked there, and values lose some of theirs. It counts the bytes of a text, reads bytes that are no
#: text as one, negates the least integer, and makes no text of a truth value, nor a truth value of a text.
RUST = Grammar(
    without=frozenset({"optionals", "strings"}),
    kinds=frozenset("bool int double string bytes ints texts map".split()),
    differing=frozenset({"string({bool})", "string({bytes})", "size({string})", "-({int})", "bool(t)"}),
)


def of_rust() -> Engine:
    """The crate `cel`, which `common-expression-language` wraps."""
    cel = pytest.importorskip("cel", reason="common-expression-language needs Python 3.11")

    def ask(text: str, values: Mapping[str, Any]) -> Any:
        try:
            return _from_rust(cel.evaluate(text, {name: _native(value) for name, value in values.items()}))
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError):
            return ERROR

    return ask


def _from_rust(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return ("Timestamp", (value - _EPOCH) // _MICROSECOND)
    if isinstance(value, datetime.timedelta):
        return ("Duration", value // _MICROSECOND)
    if isinstance(value, list):
        return ("list", [_from_rust(each) for each in value])
    if isinstance(value, dict):
        return ("map", sorted(((plain(key), _from_rust(each)) for key, each in value.items()), key=repr))
    return plain(value)


def without_uints(value: Any) -> Any:
    """A value in which `1u` is `1`."""
    kind, inner = value
    if kind == "Uint":
        return ("int", int(inner))
    if kind == "list":
        return ("list", [without_uints(each) for each in inner])
    return ("map", [(key, without_uints(each)) for key, each in inner]) if kind == "map" else value
