"""Defaults of fields: whether there is one, and what it says about the API."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from typing import Any

from validation_gen.sources.python.scope import ModuleScope
from validation_gen.sources.python.values import NotLiteralError, literal

_FIELD_FUNCTIONS = {"dataclasses.field", "attrs.field", "attrs.ib", "attrs.attrib", "msgspec.field", "pydantic.Field"}
_FACTORIES = ("default_factory", "factory")
_NAMES = ("alias", "serialization_alias", "validation_alias", "name")
_EMPTY: dict[str, Any] = {"builtins.list": [], "builtins.dict": {}}


@dataclass(frozen=True, slots=True)
class Default:
    """What stands behind the equals sign of a field.

    Attributes:
        exists: whether the field can be left out.
        value: the default as JSON, `""` where it says nothing: none, or one that cannot be known.
        node: the expression of the value.
        name: the field's name in JSON, if it is given there (`Field(alias=…)`).
        unknown: whether the value depends on code that would have to run.
    """

    exists: bool = False
    value: str = ""
    node: ast.expr | None = None
    name: str = ""
    unknown: bool = False


def read_default(scope: ModuleScope, expression: ast.expr | None) -> Default:
    """The default of a field from the right-hand side of its declaration."""
    if expression is None:
        return Default()
    if isinstance(expression, ast.Call) and scope.meaning(expression.func).name in _FIELD_FUNCTIONS:
        return _of_field_function(scope, expression)
    return _of_value(scope, expression)


def _of_field_function(scope: ModuleScope, call: ast.Call) -> Default:
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    alias = next((named[n] for n in _NAMES if n in named), None)
    name = alias.value if isinstance(alias, ast.Constant) and isinstance(alias.value, str) else ""
    value = named.get("default") or (call.args[0] if call.args else None)
    factory = next((named[n] for n in _FACTORIES if n in named), None)
    found = Default()
    if value is not None and not (isinstance(value, ast.Constant) and value.value is ...):
        found = _of_value(scope, value)
    elif factory is not None:
        found = _of_factory(scope, factory)
    return Default(found.exists, found.value, found.node, name, found.unknown)


def _of_factory(scope: ModuleScope, factory: ast.expr) -> Default:
    if isinstance(factory, ast.Lambda):
        return _of_value(scope, factory.body)
    meaning = scope.meaning(factory)
    if meaning.name in _EMPTY:
        return Default(True, json.dumps(_EMPTY[meaning.name]), factory)
    is_struct = isinstance(meaning.node, ast.ClassDef) or meaning.name.startswith("validation_gen.types.")
    return Default(True, "", factory, unknown=not is_struct)


def _of_value(scope: ModuleScope, expression: ast.expr) -> Default:
    if isinstance(expression, ast.Name | ast.Attribute):
        value = _member(scope, expression)
        if value is not None:
            return _of_value(scope, value)
        meaning = scope.meaning(expression)
        if isinstance(meaning.node, ast.expr) and meaning.scope is not None and meaning.node is not expression:
            expression = meaning.node
    if isinstance(expression, ast.Call):
        meaning = scope.meaning(expression.func)
        if meaning.name in _EMPTY and not expression.args and not expression.keywords:
            return Default(True, json.dumps(_EMPTY[meaning.name]), expression)
        if isinstance(meaning.node, ast.ClassDef) or meaning.name.startswith("validation_gen.types."):
            return Default(True, "", expression, unknown=bool(expression.args or expression.keywords))
    try:
        value = literal(expression)
    except NotLiteralError:
        return Default(True, "", expression, unknown=True)
    return Default(True, _json(value), expression)


def _member(scope: ModuleScope, expression: ast.expr) -> ast.expr | None:
    """The value of an enum's member such as `Phase.IDLE`."""
    if not isinstance(expression, ast.Attribute):
        return None
    name = expression.attr
    outer = expression.value
    if name == "value" and isinstance(outer, ast.Attribute):
        name, outer = outer.attr, outer.value
    meaning = scope.meaning(outer)
    if not isinstance(meaning.node, ast.ClassDef):
        return None
    return next((value for known, value, _ in enum_members(meaning.node) if known == name), None)


def enum_members(node: ast.ClassDef) -> list[tuple[str, ast.expr, ast.stmt]]:
    """The members of an enum: name, value and statement."""
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
    """The default as `+default=` has it; nothing for what an absent field has anyway."""
    if value is None or value is False or value == "" or (isinstance(value, int | float) and value == 0):
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return ""
