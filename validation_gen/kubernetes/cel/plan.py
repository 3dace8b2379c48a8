"""Expressions that can run, exactly as cel-go runs them: with its errors, its order and its cost.

Each node of a checked expression becomes a function of a `Run`. Errors are values here, as in cel-go, because `&&` and
`||` may discard them, and because the cost counts for failed parts, too. This is the exact form; the fast one is
`compiled`.

Source of the behaviour: `interpreter/planner.go`, `interpretable.go` and `runtimecost.go` of cel-go, with the options
of the API server: constants are folded, and presence tests cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.declarations import VALUE_TYPES
from validation_gen.kubernetes.cel.entries import INDICES, PLAIN_KEYS, Entries, equal, no_index
from validation_gen.kubernetes.cel.operations import CONVERSIONS, Run, Step, render_value
from validation_gen.kubernetes.cel.steps import Attribute, Fold, Qualifier, alternative, call, lazy, logic, read
from validation_gen.kubernetes.cel.tree import TOO_DEEP, Typed
from validation_gen.kubernetes.cel.types import Kind
from validation_gen.kubernetes.cel.validators import MATCHING, find_regex_error
from validation_gen.kubernetes.cel.values import (
    AbortedError,
    ConstructedObject,
    EvaluationError,
    Optional,
    TypeValue,
    Uint,
)

_NEW_LIST, _NEW_MAP, _NEW_OBJECT = 10, 30, 40
#: Value of an optional part that has none.
_MISSING: Any = object()


@dataclass(slots=True, eq=False)
class _Constant:
    value: Any

    def step(self) -> Step:
        value = self.value
        return lambda run: value


@dataclass(slots=True, eq=False)
class _Plain:
    """A planned node that is neither a constant nor an attribute."""

    run: Step

    def step(self) -> Step:
        return self.run


_Planned = _Constant | _Plain | Attribute


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """An expression that can run. `variables` are the names of the first slots, `size` is the number of all."""

    step: Step
    variables: tuple[str, ...]
    size: int

    def run(self, values: Sequence[Any], limit: int) -> tuple[Any, int]:
        """Returns the value of the expression, or an error, and its cost.

        A value that is nested more deeply than Python can go is an error, too: no server has this limit, but real
        objects do not come near it.

        Raises:
            CostExceededError: it costs more than the limit.
        """
        run = Run([*values, *[None] * (self.size - len(values))], limit)
        try:
            return self.step(run), run.cost
        except AbortedError as error:
            return error, run.cost
        except RecursionError:
            return EvaluationError(TOO_DEEP), run.cost


def make_plan(typed: Typed, variables: tuple[str, ...]) -> Plan:
    """Returns the plan of an expression whose variables get their values in this order.

    Raises:
        EvaluationError: a constant part of it fails, such as `duration('x')`.
    """
    planner = _Planner(typed, variables)
    step = planner.plan(typed.expression.root).step()
    return Plan(step, variables, planner.size)


class _Planner:
    def __init__(self, typed: Typed, variables: tuple[str, ...]) -> None:
        self._typed = typed
        self._slots: dict[str, Step] = {name: read(index) for index, name in enumerate(variables)}
        self.size = len(variables)

    def plan(self, node: tree.Node) -> _Planned:
        return _PLANS[node.__class__](self, node)

    def _step(self, node: tree.Node) -> Step:
        return self.plan(node).step()

    def literal(self, node: tree.Literal) -> _Planned:
        value = node.value
        return _Constant(Uint(value) if node.type.kind is Kind.UINT and isinstance(value, int) else value)

    def ident(self, node: tree.Ident) -> _Planned:
        return self._named(node, node.name)

    def _named(self, node: tree.Node, name: str) -> _Planned:
        bare = name.removeprefix(".")
        if self._typed.types[node.id].kind is Kind.TYPE:
            if bare not in VALUE_TYPES:  # which a loop variable is not either
                raise EvaluationError(f"reference to undefined type: {bare}")
            if bare not in self._slots:
                return _Constant(TypeValue(bare))
        return Attribute(self._slots[bare] if name not in self._slots else self._slots[name])

    def select(self, node: tree.Select) -> _Planned:
        if (name := self._typed.names.get(node.id)) is not None:
            return self._named(node, name)
        attribute = self._attribute(node.operand)
        attribute.add(Qualifier(node.field, test_only=node.test_only))
        attribute.test_only = node.test_only
        return attribute

    def _attribute(self, node: tree.Node) -> Attribute:
        plan = self.plan(node)
        if isinstance(plan, Attribute) and not plan.test_only:
            return plan
        return Attribute(plan.step())

    def call(self, node: tree.Call) -> _Planned:
        function = self._typed.function(node)
        parts = node.args
        if node.target is not None and node.id not in self._typed.static:
            parts = (node.target, *node.args)
        match function:
            case "_?_:_":
                return self._conditional(parts)
            case "_[_]" | "_[?_]" | "_?._":
                return self._index(parts, optional=function != "_[_]")
        plans = [self.plan(part) for part in parts]
        overloads = self._typed.overloads.get(node.id, ())
        if function in ("_&&_", "_||_"):
            return _Plain(logic(plans[0].step(), plans[1].step(), function == "_||_"))
        if overloads in (("optional_or_optional",), ("optional_orValue_value",)):
            return _Plain(alternative(plans[0].step(), plans[1].step(), function == "orValue"))
        if overloads == ("in_list",) and isinstance(plans[1], _Constant) and (found := _member(*plans)):
            return found
        pattern = plans[1] if function in MATCHING and len(plans) > 1 else None
        if isinstance(pattern, _Constant):
            _check_pattern(pattern.value)
        steps = [plan.step() for plan in plans]
        step = call(function, overloads, steps, optimized=isinstance(pattern, _Constant))
        if function in CONVERSIONS and len(plans) == 1 and isinstance(plans[0], _Constant):
            return _convert_constant(function, plans[0].value, step)
        return _Plain(step)

    def _conditional(self, parts: Sequence[tree.Node]) -> _Planned:
        condition, then, other = (self.plan(part) for part in parts)
        ways = tuple(
            path if isinstance(path, Attribute) and not path.test_only else Attribute(path.step())
            for path in (then, other)
        )
        return Attribute(condition.step(), ways=ways)  # type: ignore[arg-type]  # there are two

    def _index(self, parts: Sequence[tree.Node], optional: bool) -> _Planned:
        attribute = self._attribute(parts[0])
        key = self.plan(parts[1])
        match key:
            case _Constant():
                if type(key.value) not in INDICES:
                    raise no_index(key.value)
                attribute.add(Qualifier(key.value, optional=optional))
            case Attribute() if not key.test_only:
                attribute.add(Qualifier(worked_out=key.resolve, optional=optional))
            case _:
                attribute.add(Qualifier(worked_out=key.step(), optional=optional))
        return attribute

    def list_literal(self, node: tree.ListLiteral) -> _Planned:
        plans = [self.plan(element) for element in node.elements]
        steps = [plan.step() for plan in plans]
        optional = node.optional

        def made(run: Run) -> Any:
            items: list[Any] = []
            found: Any = items
            for index, step in enumerate(steps):
                value = step(run)
                if index in optional:
                    value = _get_value(value, "list element")
                if isinstance(value, EvaluationError):
                    found = value
                    break
                if value is not _MISSING:
                    items.append(value)
            run.charge(_NEW_LIST)
            return found

        if all(isinstance(plan, _Constant) for plan in plans):
            return _Constant(made(Run([], 1 << 62)))
        return _Plain(made)

    def map_literal(self, node: tree.MapLiteral) -> _Planned:
        plans = [(self.plan(entry.key), self.plan(entry.value), entry.optional) for entry in node.entries]
        steps = [(key.step(), value.step(), optional) for key, value, optional in plans]

        def made(run: Run) -> Any:
            entries: MutableMapping[Any, Any] = {}
            problem = None
            for key_step, value_step, optional in steps:
                key: Any = key_step(run)
                value = key if isinstance(key, EvaluationError) else value_step(run)
                if not isinstance(value, EvaluationError):
                    if type(entries) is dict and type(key) not in PLAIN_KEYS:
                        entries = Entries(entries.items())
                    if optional:
                        value = _get_value(value, f"entry '{render_value(key)}'")
                if isinstance(value, EvaluationError):
                    problem = value
                    break
                if value is _MISSING:
                    entries.pop(key, None)
                else:
                    entries[key] = value
            run.charge(_NEW_MAP)
            return entries if problem is None else problem

        if all(isinstance(part, _Constant) for key, value, _ in plans for part in (key, value)):
            return _Constant(made(Run([], 1 << 62)))
        return _Plain(made)

    def object_literal(self, node: tree.ObjectLiteral) -> _Planned:
        parts = [(_field_name(entry), self._step(entry.value), entry.optional) for entry in node.entries]

        def made(run: Run) -> Any:
            fields: dict[str, object] = {}
            problem: EvaluationError | None = None
            for name, step, optional in parts:
                value = step(run)
                if optional:
                    value = _get_value(value, f"entry '{name}'")
                if isinstance(value, EvaluationError):
                    problem = value
                    break
                if value is not _MISSING:
                    fields[name] = value
            run.charge(_NEW_OBJECT)
            return ConstructedObject(node.type_name.removeprefix("."), fields) if problem is None else problem

        return _Plain(made)

    def comprehension(self, node: tree.Comprehension) -> _Planned:
        items = self._step(node.range)
        init = self._step(node.init)
        outer = dict(self._slots)
        accumulator, first, second = self.size, self.size + 1, self.size + 2
        self.size += 3
        self._slots[node.accu] = lazy(accumulator, init)
        within = dict(self._slots)
        self._slots[node.var] = read(first)
        if node.var2:
            self._slots[node.var2] = read(second)
        condition, step = self._step(node.condition), self._step(node.step)
        self._slots = within
        result = self._step(node.result)
        self._slots = outer
        fold = Fold(items, condition, step, result, accumulator, bool(node.var2))
        return _Plain(fold.run)


_PLANS: dict[type[tree.Node], Callable[[_Planner, Any], _Planned]] = tree.find_methods(_Planner)


def _get_value(value: Any, target: str) -> Any:
    """Returns the value of an optional part; `_MISSING` if it has none, an error if it is not optional."""
    if isinstance(value, EvaluationError):
        return value
    if type(value) is not Optional:
        return EvaluationError(f"cannot initialize optional {target} from non-optional value {render_value(value)}")
    return value.value if value.present else _MISSING


def _check_pattern(pattern: Any) -> None:
    """Raises an error if a constant is no regular expression."""
    if isinstance(pattern, str) and (problem := find_regex_error(pattern)):
        raise EvaluationError(problem)


def _convert_constant(function: str, value: Any, step: Step) -> _Constant:
    """Converts a constant; raises if that fails."""
    if function == "duration" and type(value) is int:
        # Servers before 1.37 have such a function, which never works.
        raise EvaluationError("type conversion error from 'int' to 'google.protobuf.Duration'")
    found = step(Run([], 1 << 62))
    if isinstance(found, EvaluationError):
        raise found
    return _Constant(found)


def _field_name(entry: tree.Entry) -> str:
    return str(entry.key.value) if isinstance(entry.key, tree.Literal) else ""


def _member(item: _Planned, items: _Planned) -> _Planned | None:
    """Plans `x in [1, 2]` as a lookup that costs only what `x` costs."""
    assert isinstance(items, _Constant)
    if not items.value:
        return _Constant(False)
    if any(type(each) not in (bool, int, Uint, float, str) for each in items.value):
        return None
    step, values = item.step(), items.value

    def member(run: Run) -> Any:
        value = step(run)
        if isinstance(value, EvaluationError):
            return value
        return any(equal(value, each) is True for each in values)

    return _Plain(member)
