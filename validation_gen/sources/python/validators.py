"""Validation functions of a class, found and never run: `@field_validator` of pydantic, validators of attrs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.sources.python.constraints import Constraint, evaluate, read_constraints, with_value
from validation_gen.sources.python.defaults import NotLiteralError
from validation_gen.sources.python.scope import ModuleScope
from validation_gen.sources.python.syntax import is_none

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
        return read_validators(scope, named[0]) if named and not is_none(named[0]) else []
    return read_constraints(scope, expression)


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
            bounds = [evaluate(scope, argument) for argument in value.args]
            low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
            return (range(low, high),) if isinstance(low, int) and isinstance(high, int) and low < high else ()
        found = evaluate(scope, value)
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
        if value is None or is_none(value):
            continue
        inner = read_validators(scope, value, level + 1)
        if not kind:
            yield from inner
        elif inner:
            yield replace(made, kind=kind, value=tuple(inner))


#: Decorators of pydantic whose arguments are the names of fields.
_OF_FIELDS = frozenset({"pydantic.field_validator", "pydantic.validator"})
#: Decorators for the object as a whole.
_OF_OBJECTS = frozenset({"pydantic.model_validator", "pydantic.root_validator"})
_HELP = "write tags that say the same, or CustomValidation and a function for --custom-validations"


@dataclass(frozen=True, slots=True)
class HandwrittenCheck:
    """A function of a class that checks `fields`, or the object as a whole without any."""

    name: str
    decorator: str
    fields: tuple[str, ...]
    span: Span

    @property
    def finding(self) -> Diagnostic:
        """Warning that the function is not read."""
        what = ", ".join(f"`{field}`" for field in self.fields if field != "*") or "the object"
        message = f"`{self.name}` checks {what} in Python (`@{self.decorator}`), and such functions are not read"
        return Diagnostic("VG106", Severity.WARNING, message, self.span, _HELP)


def handwritten_checks(scope: ModuleScope, node: ast.ClassDef) -> Iterator[HandwrittenCheck]:
    """Yields the functions of a class that check it, in the order of the text. None of them is run."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef):
            for decorator in statement.decorator_list:
                yield from _find_checks(scope, statement.name, decorator)


def _find_checks(scope: ModuleScope, name: str, decorator: ast.expr) -> Iterator[HandwrittenCheck]:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    span, text = scope.file.span(decorator), scope.file.text(function)
    if _is_of_attrs(scope, function):
        assert isinstance(function, ast.Attribute)
        yield HandwrittenCheck(name, text, (ast.unparse(function.value),), span)
        return
    meaning = scope.meaning(function).name
    if meaning in _OF_FIELDS:
        given = decorator.args if isinstance(decorator, ast.Call) else []
        fields = tuple(arg.value for arg in given if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        yield HandwrittenCheck(name, text, fields, span)
    elif meaning in _OF_OBJECTS:
        yield HandwrittenCheck(name, text, (), span)


def _is_of_attrs(scope: ModuleScope, function: ast.expr) -> bool:
    """Returns whether a decorator is `x.validator` of a field `x`, and not a module's function."""
    match function:
        case ast.Attribute(value=ast.Name() as owner, attr="validator"):
            return scope.meaning(owner).name.partition(".")[0] not in ("attr", "attrs", "pydantic")
    return False
