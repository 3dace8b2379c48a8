"""Validators of attrs: `attrs.field(validator=[ge(1), optional(…)])`, read and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from validation_gen.sources.python.constraints import Constraint, read_constraints, with_value
from validation_gen.sources.python.known import known
from validation_gen.sources.python.scope import ModuleScope
from validation_gen.sources.python.values import NotLiteralError

_PACKAGE = "attrs.validators."
_LIMITS = {
    "ge": "ge",
    "gt": "gt",
    "le": "le",
    "lt": "lt",
    "max_len": "max_length",
    "min_len": "min_length",
    "matches_re": "pattern",
    "in_": "in",
}
#: Parameters of validators for the parts of a value, with those parts.
_DEEP = {
    "deep_iterable": (("member_validator", "each_val"), ("iterable_validator", "")),
    "deep_mapping": (("key_validator", "each_key"), ("value_validator", "each_val"), ("mapping_validator", "")),
}
_MOST_LEVELS = 20


def field_constraints(scope: ModuleScope, expression: ast.expr | None) -> list[Constraint]:
    """Returns the constraints on the right-hand side of a field.

    These are pydantic's `Field(ge=1)` and attrs' `field(validator=…)`.
    """
    if not isinstance(expression, ast.Call):
        return []
    if scope.meaning(expression.func).name in ("attrs.field", "attrs.ib", "attrs.attrib"):
        named = [keyword.value for keyword in expression.keywords if keyword.arg == "validator"]
        return read_validators(scope, named[0]) if named and not _is_none(named[0]) else []
    return read_constraints(scope, expression)


def _is_none(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is None


def read_validators(scope: ModuleScope, expression: ast.expr, level: int = 0) -> list[Constraint]:
    """Returns the constraints in the validators of a field."""
    return list(_read(scope, expression, level)) if level < _MOST_LEVELS else []


def _read(scope: ModuleScope, expression: ast.expr, level: int) -> Iterator[Constraint]:
    if isinstance(expression, ast.List | ast.Tuple):
        for item in expression.elts:
            yield from read_validators(scope, item, level + 1)
        return
    name = scope.meaning(expression.func).name if isinstance(expression, ast.Call) else ""
    last = name.removeprefix(_PACKAGE) if name.startswith(_PACKAGE) else ""
    made = Constraint(last, None, scope.file.text(expression), scope.file.span(expression), "attrs", passes_none=False)
    if not isinstance(expression, ast.Call) or not last:
        yield made
    elif last == "and_":
        for item in expression.args:
            yield from read_validators(scope, item, level + 1)
    elif last == "optional" and len(expression.args) == 1:
        inner = read_validators(scope, expression.args[0], level + 1)
        yield from (replace(constraint, passes_none=True) for constraint in inner)
    elif last in _DEEP:
        yield from _deep(scope, expression, made, level)
    elif last in _LIMITS:
        yield _limit(scope, expression, replace(made, kind=_LIMITS[last]))
    elif last != "instance_of":  # the annotation includes that
        yield made


def _limit(scope: ModuleScope, call: ast.Call, made: Constraint) -> Constraint:
    if len(call.args) + len(call.keywords) != 1:
        is_whole = made.kind == "pattern" and call.args and not _changes_matching(scope, call)
        if not is_whole:
            return replace(made, kind="", value=None)
    value = call.args[0] if call.args else call.keywords[0].value
    if made.kind == "in":
        return replace(made, value=options) if (options := _options(scope, value)) else replace(made, kind="")
    return with_value(scope, made, value)


def _changes_matching(scope: ModuleScope, call: ast.Call) -> bool:
    """Returns whether `matches_re` has flags, or searches instead of matching the whole text."""
    more = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    plain = (scope.meaning(value).name == "re.fullmatch" or getattr(value, "value", 1) in (0, None) for value in more)
    return not all(plain)


def _options(scope: ModuleScope, value: ast.expr) -> tuple[object, ...]:
    """Returns the allowed values of `in_`; empty if they are unknown."""
    is_range = isinstance(value, ast.Call) and scope.meaning(value.func).name == "builtins.range"
    try:
        if isinstance(value, ast.Call) and is_range and len(value.args) in (1, 2):
            bounds = [known(scope, argument) for argument in value.args]
            low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
            return (range(low, high),) if isinstance(low, int) and isinstance(high, int) and low < high else ()
        found = known(scope, value)
    except NotLiteralError:
        return ()
    if isinstance(found, set):
        return tuple(sorted(found, key=repr))
    return tuple(found) if isinstance(found, list | tuple) else ()


def _deep(scope: ModuleScope, call: ast.Call, made: Constraint, level: int) -> Iterator[Constraint]:
    parameters = _DEEP[made.kind]
    given: dict[str, ast.expr] = dict(zip((name for name, _ in parameters), call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    for name, kind in parameters:
        value = given.get(name)
        if value is None or _is_none(value):
            continue
        inner = read_validators(scope, value, level + 1)
        if not kind:
            yield from inner
        elif inner:
            yield replace(made, kind=kind, value=tuple(inner))
