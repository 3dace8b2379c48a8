"""Defaults of fields, and values of Python source without running it: literals, and calls of our own vocabulary."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, get_args, get_type_hints

from validation_gen import tags
from validation_gen.sources.python.scope import Meaning, ModuleScope
from validation_gen.tags.suggestions import did_you_mean
from validation_gen.types import Json

_DEEPEST = 50
_JSON_FORM = 'write Json("podIPs"), or as well go="PodIPs" and omit="omitempty"'
_OMITS = get_args(get_type_hints(Json)["omit"])


class NotLiteralError(Exception):
    """A value that is unknown without running the program, or that is invalid."""

    def __init__(self, message: str, node: ast.expr, help: str = "") -> None:
        super().__init__(message)
        self.node = node
        self.help = help


def literal(expression: ast.expr) -> Any:
    """Returns the value of a literal.

    Raises:
        NotLiteralError: the expression is no literal.
    """
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        message = f"`{ast.unparse(expression)}` is no literal"
        raise NotLiteralError(message, expression, "write the value itself") from None


def tag_value(expression: ast.expr, meaning: Callable[[ast.expr], Meaning], level: int = 0) -> tags.TagValue | Json:
    """Returns the value of a call such as `EachVal(MaxLength(5))`. `meaning` resolves names.

    Raises:
        NotLiteralError: an argument is no literal, or the call would fail.
    """
    head = expression.func if isinstance(expression, ast.Call) else expression
    full = meaning(head).name
    last = full.rpartition(".")[2]
    known: type[Any] | None = Json if full == "validation_gen.types.Json" else tags.VOCABULARY.get(last)
    if known is None or level > _DEEPEST:
        raise NotLiteralError(f"there is no tag `{last}`", head, did_you_mean(last, tags.VOCABULARY))
    arguments: list[Any] = []
    named: dict[str, Any] = {}
    if isinstance(expression, ast.Call):
        arguments = [_argument(value, meaning, level) for value in expression.args]
        for keyword in expression.keywords:
            if keyword.arg is None:
                raise NotLiteralError("arguments have to be written out", keyword.value, "write them one by one")
            named[keyword.arg] = _argument(keyword.value, meaning, level)
    try:
        made = known(*arguments, **named)
        str(made)
        if isinstance(made, Json):
            _check(made)
    except (TypeError, ValueError) as problem:
        message = str(problem).replace(f"{last}.__init__()", last)
        help = _JSON_FORM if known is Json else f"see validation-gen explain {last[:1].lower()}{last[1:]}"
        raise NotLiteralError(message, expression, help) from None
    assert isinstance(made, tags.TagValue | Json)
    return made


def _check(made: Json) -> None:
    """Raises `TypeError` or `ValueError` for an invalid field name."""
    for parameter, value in (("name", made.name), ("go", made.go), ("omit", made.omit)):
        if not isinstance(value, str):
            raise TypeError(f"Json: {parameter} must be a string, not {value!r}")
    if made.go and not (made.go.isidentifier() and made.go[0].isupper()):
        raise ValueError(f"Json: go must be an exported name, not {made.go!r}")
    if made.omit not in _OMITS:
        raise ValueError(f"Json: omit must be one of {', '.join(_OMITS[1:])}, not {made.omit!r}")


def _argument(expression: ast.expr, meaning: Callable[[ast.expr], Meaning], level: int) -> Any:
    head = expression.func if isinstance(expression, ast.Call) else expression
    if isinstance(head, ast.Name | ast.Attribute):
        found = meaning(head)
        if found.name.startswith("validation_gen.tags."):
            return tag_value(expression, meaning, level + 1)
        if isinstance(found.node, ast.Constant) and head is expression:
            return literal(found.node)  # a constant of a module, such as a limit that several fields share
    return literal(expression)


_FIELD_FUNCTIONS = {"dataclasses.field", "attrs.field", "attrs.ib", "attrs.attrib", "msgspec.field", "pydantic.Field"}
_FACTORIES = ("default_factory", "factory")
#: Arguments with the name in JSON. The alias of `attrs` is an argument of `__init__`.
_NAMES = {
    "pydantic.Field": ("serialization_alias", "alias", "validation_alias"),
    "msgspec.field": ("name",),
}
_MOST_LEVELS = 20  # aliases of names
_EMPTY: dict[str, Any] = {"builtins.list": [], "builtins.dict": {}}


@dataclass(frozen=True, slots=True)
class Default:
    """The right-hand side of a field.

    Attributes:
        exists: whether the field can be left out.
        value: the default as JSON, `""` if there is none, or if it is unknown.
        node: the expression of the value.
        name: the field's name in JSON, if it is given there (`Field(alias=…)`).
        unknown: whether the value depends on code that would have to run.
        plain: the value itself, `...` if it is unknown.
    """

    exists: bool = False
    value: str = ""
    node: ast.expr | None = None
    name: str = ""
    unknown: bool = False
    plain: Any = ...


def read_default(scope: ModuleScope, expression: ast.expr | None) -> Default:
    """Returns the default of a field from the right-hand side of its declaration."""
    if expression is None:
        return Default()
    if isinstance(expression, ast.Call):
        function = scope.meaning(expression.func).name
        if function in _FIELD_FUNCTIONS:
            return _of_field_function(scope, expression, function)
        if function == "attrs.Factory" and expression.args:
            return _of_factory(scope, expression.args[0])
    return _of_value(scope, expression)


def _of_field_function(scope: ModuleScope, call: ast.Call, function: str) -> Default:
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    alias = next((named[n] for n in _NAMES.get(function, ()) if n in named), None)
    name = alias.value if isinstance(alias, ast.Constant) and isinstance(alias.value, str) else ""
    value = named.get("default") or (call.args[0] if call.args else None)
    factory = next((named[n] for n in _FACTORIES if n in named), None)
    found = Default()
    if value is not None and not (isinstance(value, ast.Constant) and value.value is ...):
        found = _of_value(scope, value)
    elif factory is not None:
        found = _of_factory(scope, factory)
    return replace(found, name=name)


def _of_factory(scope: ModuleScope, factory: ast.expr) -> Default:
    if isinstance(factory, ast.Lambda):
        return _of_value(scope, factory.body)
    meaning = scope.meaning(factory)
    if meaning.name in _EMPTY:
        return Default(True, json.dumps(_EMPTY[meaning.name]), factory, plain=_EMPTY[meaning.name])
    is_struct = isinstance(meaning.node, ast.ClassDef) or meaning.name.startswith("validation_gen.types.")
    return Default(True, "", factory, unknown=not is_struct)


def _of_value(scope: ModuleScope, expression: ast.expr, level: int = 0) -> Default:
    if isinstance(expression, ast.Name | ast.Attribute) and level < _MOST_LEVELS:
        meaning = scope.meaning(expression)
        value = _member(scope, expression)
        if value is None and isinstance(meaning.node, ast.expr) and meaning.scope is not None:
            value = meaning.scope, meaning.node
        if value is not None:
            return replace(_of_value(*value, level + 1), node=expression)
    if isinstance(expression, ast.Call):
        meaning = scope.meaning(expression.func)
        if meaning.name in _EMPTY and not expression.args and not expression.keywords:
            return Default(True, json.dumps(_EMPTY[meaning.name]), expression, plain=_EMPTY[meaning.name])
        if isinstance(meaning.node, ast.ClassDef) or meaning.name.startswith("validation_gen.types."):
            return Default(True, "", expression, unknown=bool(expression.args or expression.keywords))
    try:
        value = literal(expression)
    except NotLiteralError:
        return Default(True, "", expression, unknown=True)
    return Default(True, _json(value), expression, plain=value)


def _member(scope: ModuleScope, expression: ast.expr) -> tuple[ModuleScope, ast.expr] | None:
    """Returns the value of an enum's member such as `Phase.IDLE`."""
    if not isinstance(expression, ast.Attribute):
        return None
    name = expression.attr
    outer = expression.value
    if name == "value" and isinstance(outer, ast.Attribute):
        name, outer = outer.attr, outer.value
    meaning = scope.meaning(outer)
    if not isinstance(meaning.node, ast.ClassDef) or meaning.scope is None:
        return None
    members = enum_members(meaning.scope, meaning.node)
    return next(((meaning.scope, value) for known, value, _ in members if known == name), None)


def enum_members(scope: ModuleScope, node: ast.ClassDef) -> list[tuple[str, ast.expr, ast.stmt]]:
    """Returns the members of an enum: name, value and statement.

    An alias of another member has its value, and `auto()` in a `StrEnum` is the name in lower case.
    """
    found: list[tuple[str, ast.expr, ast.stmt]] = []
    values: dict[str, ast.expr] = {}
    lowers = any(scope.meaning(base).name == "enum.StrEnum" for base in node.bases)
    for name, written, statement in _assignments(node):
        value = values.get(written.id, written) if isinstance(written, ast.Name) else written
        if isinstance(value, ast.Call) and lowers and scope.meaning(value.func).name == "enum.auto":
            value = ast.copy_location(ast.Constant(name.lower()), value)
        values[name] = value
        found.append((name, value, statement))
    return found


def _assignments(node: ast.ClassDef) -> list[tuple[str, ast.expr, ast.stmt]]:
    found: list[tuple[str, ast.expr, ast.stmt]] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
            value: ast.expr | None = statement.value
        elif isinstance(statement, ast.AnnAssign):
            target, value = statement.target, statement.value
        else:
            continue
        if isinstance(target, ast.Name) and not target.id.startswith("_") and value is not None:
            found.append((target.id, value, statement))
    return found


def _json(value: Any) -> str:
    """Returns the default as in `+default=`; empty for the value of an absent field."""
    if value is None or value is False or value == "" or (isinstance(value, int | float) and value == 0):
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return ""
