"""Finds validation functions of a class: `@field_validator` of pydantic, `@x.validator` of attrs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.sources.python.scope import ModuleScope

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
                yield from _of(scope, statement.name, decorator)


def _of(scope: ModuleScope, name: str, decorator: ast.expr) -> Iterator[HandwrittenCheck]:
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
