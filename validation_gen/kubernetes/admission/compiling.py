"""Compiles expressions of a policy to plans, estimates their cost, and checks match conditions.

Errors have the server's text. Source of the behaviour for match conditions: `validateMatchConditions` in
`pkg/apis/admissionregistration/validation` of Kubernetes.

No server estimates the cost of a policy: it counts the actual cost and aborts expensive expressions. So the estimate
here uses more facts than that for definitions: the length of numbers as text, and the size of values behind optional
steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from validation_gen.kubernetes.admission.environment import VARIABLES, Names
from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.cost import Estimator
from validation_gen.kubernetes.cel.declarations import Environment, Range
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.plan import Plan, make_plan
from validation_gen.kubernetes.cel.program import NAMES_QUOTED, check_types
from validation_gen.kubernetes.cel.schemas import Declared, escape
from validation_gen.kubernetes.cel.tree import TOO_DEEP, InvalidExpression, Typed, render_issues
from validation_gen.kubernetes.cel.types import BOOL, NULL, STRING, Kind, Type
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.runtime import names as known_names
from validation_gen.runtime.errors import ErrorType, FieldError

#: Greatest number of characters of numbers and booleans as text.
_TEXTS = {Kind.INT: 20, Kind.UINT: 20, Kind.BOOL: 5, Kind.DOUBLE: 25}


def estimate_worst_cost(typed: Typed, sizes: Mapping[str, Declared], minor: int) -> int:
    """Returns the most that an expression costs on a server of the release after 1.`minor`.

    `sizes` are the declarations of its variables.
    """
    return _Estimator(typed, sizes, minor).cost(typed.expression.root).most


class _Estimator(Estimator):
    """One walk over one expression."""

    def cost(self, node: tree.Node) -> Range:
        if isinstance(node, tree.Call) and (most := self._joined(node)) is not None and node.target is not None:
            self._set_size(node, Range(0, most))
            return self.cost(node.target).plus(Range(1, most))
        cost = super().cost(node)
        if isinstance(node, tree.Call):
            self._know(node)
        return cost

    def _declared_size(self, path: list[str]) -> Range | None:
        """Returns the greatest size by the schema. Paths may use the names of fields in JSON, too."""
        return super()._declared_size(
            [*path[:1], *(name if name.startswith("@") else _field(name) for name in path[1:])]
        )

    def _joined(self, node: tree.Call) -> int | None:
        """Returns the most characters of a `join` over a literal list of constant texts."""
        if self._typed.function(node) != "join" or not isinstance(node.target, tree.Comprehension):
            return None
        given, separators = node.target.range, node.args
        if not isinstance(given, tree.ListLiteral) or not all(map(_is_text, separators)):
            return None
        ways = [_find_texts(element) for element in given.elements]
        if not all(ways):
            return None
        between = sum(len(str(each.value)) for each in separators if isinstance(each, tree.Literal))
        return sum(max(map(len, path)) + between for path in ways)

    def _know(self, node: tree.Call) -> None:
        """Records the known size of the result of a call."""
        function = self._typed.function(node)
        if function == "string" and len(node.args) == 1:
            most = _TEXTS.get(self._types[node.args[0].id].kind)
            if most is not None:
                self._set_size(node, Range(1, most))
        elif function == "_?._" and len(node.args) == 2:
            source, name = node.args
            if isinstance(name, tree.Literal) and isinstance(name.value, str):
                self._paths[node.id] = self._path(source).appended(name.value)
        elif function == "dyn" and len(node.args) == 1:
            self._paths[node.id] = self._path(node.args[0])
        elif function in ("_[_]", "_[?_]") and self._types[node.args[0].id].kind in (Kind.DYN, Kind.OPAQUE):
            name = node.args[1]
            if isinstance(name, tree.Literal) and isinstance(name.value, str):
                self._paths[node.id] = self._path(node.args[0]).appended(name.value)
        elif function == "orValue" and node.target is not None:
            self._paths[node.id] = self._path(node.target)
            declared = self._declared_size(self._path(node.target).names())
            other = self.size(node.args[0])
            if declared is not None:
                self._sizes[node.id] = declared if other is None else declared.union(other)
        elif function == "value" and node.target is not None:
            self._paths[node.id] = self._path(node.target)


def _field(name: str) -> str:
    """Returns the name by which expressions select a field."""
    known = name.startswith("__") and name.endswith("__")
    return name if known or "__d" in name or "__s" in name else escape(name) or name


def _is_text(node: tree.Node) -> bool:
    return isinstance(node, tree.Literal) and isinstance(node.value, str)


def _find_texts(node: tree.Node) -> list[str]:
    """Returns the texts that a node can be; empty if that is not known."""
    if isinstance(node, tree.Literal):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, tree.Call) and node.function == "_?_:_":
        one, other = map(_find_texts, node.args[1:])
        return [*one, *other] if one and other else []
    return []


#: Result types of validations and conditions, of messages, and of values of audit annotations.
CONDITION, MESSAGE, ANNOTATION = (BOOL,), (STRING,), (STRING, NULL)


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """Compiled expression: its `plan` runs, unless there is an `error`.

    `internal`: the server reports the error as an internal one.
    """

    text: str
    error: str = ""
    internal: bool = False
    typed: Typed | None = None
    plan: Plan | None = None

    @property
    def type(self) -> Type | None:
        """Type of the result, `None` if the expression does not compile."""
        return self.typed.type if self.typed is not None else None


def compile_expression(
    text: str, environment: Environment, results: Collection[Type] = (), *, minor: int
) -> Expression:
    """Compiles an expression as the server does when it admits a policy. Without `results` any type is allowed."""
    try:
        typed = _check_types(text, environment, minor)
    except InvalidExpression as error:
        return Expression(text, f"compilation failed: {render_issues(text, error.issues)}")
    if results and typed.type not in results:
        wanted = [_spell_type(each) for each in results]
        message = wanted[0] if len(wanted) == 1 else f"one of [{' '.join(wanted)}]"
        return Expression(text, f"must evaluate to {message} but got {_spell_type(typed.type)}", typed=typed)
    try:
        plan = make_plan(typed, VARIABLES)
    except RecursionError:
        return Expression(text, f"program instantiation failed: {TOO_DEEP}", internal=True, typed=typed)
    except EvaluationError as error:
        return Expression(text, f"program instantiation failed: {error.message}", internal=True, typed=typed)
    return Expression(text, typed=typed, plan=plan)


def type_checked(text: str, environment: Environment, *, minor: int) -> tuple[Typed | None, str]:
    """Checks the types of an expression as the server's type checker does; returns the typed form or an error."""
    try:
        return _check_types(text, environment, minor), ""
    except InvalidExpression as error:
        return None, render_issues(text, error.issues)


def estimate_cost(text: str, names: Names, *, authorizer: bool = True) -> int | None:
    """Returns the most that an expression can cost by the known schemas; `None` if it does not compile."""
    try:
        typed = _check_types(text, names.environment(authorizer=authorizer), names.minor)
        return estimate_worst_cost(typed, names.sizes, names.minor)
    except (InvalidExpression, RecursionError):
        return None


def _check_types(text: str, environment: Environment, minor: int) -> Typed:
    """Returns the expression with its types.

    Raises:
        InvalidExpression: it does not compile.
    """
    return check_types(parse(text, quoted=minor >= NAMES_QUOTED), environment, minor)


def _spell_type(type: Type) -> str:
    """Name a type as Go prints it."""
    if not type.parameters:
        return type.name
    return f"{type.name}({', '.join(map(_spell_type, type.parameters))})"


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
            yield from compile_errors(
                compile_expression(text, environment, CONDITION, minor=names.minor), f"{where}.expression"
            )
        if not name:
            yield FieldError.required(f"{where}.name")
            continue
        yield from check_qualified_name(name, f"{where}.name")
        if name in seen:
            yield FieldError.duplicate(f"{where}.name", name)
        seen.add(name)


def compile_errors(expression: Expression, path: str) -> _Errors:
    """Yields the error of an expression that does not compile."""
    if expression.error and expression.internal:
        yield FieldError.internal(path, expression.error)
    elif expression.error:
        yield FieldError.invalid(path, expression.text, expression.error)


def check_qualified_name(name: str, path: str) -> _Errors:
    """Yields the errors of a qualified name."""
    for problem in known_names.label_key(name):
        yield FieldError(ErrorType.INVALID, name, problem, "", f".{path}")
