"""Errors of the API server about match conditions: named expressions that decide whether a webhook or policy applies.

Source of the behaviour: `validateMatchConditions` in `pkg/apis/admissionregistration/validation` of Kubernetes. The
cost of conditions is not checked here: the server counts it when they run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validation_gen.kubernetes.admission.compiling import CONDITION, Expression, compiled
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.runtime import names as known_names
from validation_gen.runtime.errors import ErrorType, FieldError

_MOST = 64
_Errors = Iterator[FieldError]


def condition_errors(conditions: Iterable[tuple[str, str]], names: Names, path: str) -> _Errors:
    """Yields the errors of conditions, which are pairs of a name and an expression."""
    conditions = list(conditions)
    if len(conditions) > _MOST:
        yield FieldError.too_many(path, len(conditions), _MOST)
    environment = names.environment(variables=False)
    seen: set[str] = set()
    for i, (name, expression) in enumerate(conditions):
        where = f"{path}[{i}]"
        text = expression.strip()
        if not text:
            yield FieldError.required(f"{where}.expression")
        else:
            yield from compile_errors(compiled(text, environment, CONDITION, minor=names.minor), f"{where}.expression")
        if not name:
            yield FieldError.required(f"{where}.name")
            continue
        yield from qualified_errors(name, f"{where}.name")
        if name in seen:
            yield FieldError.duplicate(f"{where}.name", name)
        seen.add(name)


def compile_errors(expression: Expression, path: str) -> _Errors:
    """Yields the error of an expression that does not compile."""
    if expression.error and expression.internal:
        yield FieldError.internal(path, expression.error)
    elif expression.error:
        yield FieldError.invalid(path, expression.text, expression.error)


def qualified_errors(name: str, path: str) -> _Errors:
    """Yields the errors of a qualified name."""
    for problem in known_names.label_key(name):
        yield FieldError(ErrorType.INVALID, name, problem, "", f".{path}")
