"""Expressions that can run, exactly as cel-go runs them: with its errors, its order and its cost.

Each node of a checked expression becomes a function of a `Run`. Errors are values here, as in cel-go, because `&&` and
`||` may leave them out, and because what an expression costs is counted where it fails, too. This is the exact way,
not the quickest one.

Source of the behaviour: `interpreter/planner.go`, `interpretable.go`, `attributes.go` and `runtimecost.go` of cel-go,
with the options of the API server: constants are folded, and asking whether a field is there costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.data import ListView, MapView
from validation_gen.kubernetes.cel.depth import TOO_DEEP
from validation_gen.kubernetes.cel.entries import INDICES, PLAIN_KEYS, Entries, no_index
from validation_gen.kubernetes.cel.equality import equal, find
from validation_gen.kubernetes.cel.operations import CONVERSIONS, called, shown, type_name
from validation_gen.kubernetes.cel.runtimecosts import call_cost
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import Kind
from validation_gen.kubernetes.cel.values import ABSENT, AbortedError, EvaluationError, Optional, TypeValue, Uint

#: What is not yet worked out: the beginning of a loop's result.
_UNSET = object()
_NEW_LIST, _NEW_MAP = 10, 30
#: Costs are unsigned integers of 64 bits, which begin again behind the greatest.
_MOST = (1 << 64) - 1
_NO_OVERLOAD = EvaluationError("no such overload")


class CostExceededError(Exception):
    """An evaluation has cost more than its limit."""


class Run:
    """One evaluation: the values of variables, and what it has cost so far.

    Raises `CostExceededError` from `charge` when the cost is above `limit`.
    """

    __slots__ = ("cost", "limit", "slots")

    def __init__(self, slots: list[Any], limit: int) -> None:
        self.slots = slots
        self.cost = 0
        self.limit = limit

    def charge(self, cost: int) -> None:
        self.cost = (self.cost + cost) & _MOST
        if self.cost > self.limit:
            raise CostExceededError


Step = Callable[[Run], Any]


@dataclass(slots=True, eq=False)
class _Constant:
    value: Any

    def step(self) -> Step:
        value = self.value
        return lambda run: value


@dataclass(slots=True, eq=False)
class _Plain:
    """What is neither a constant nor reached by fields."""

    run: Step

    def step(self) -> Step:
        return self.run


@dataclass(slots=True, eq=False)
class _Qualifier:
    """One step of an attribute: a constant key, or one that is worked out."""

    key: Any = None
    worked_out: Step | None = None
    optional: bool = False
    test_only: bool = False

    def of(self, run: Run, value: Any, optional: bool) -> tuple[Any, bool]:
        """What the step leads to, and whether it is there. Only an optional or a tested one may be missing."""
        key = self.key if self.worked_out is None else self.worked_out(run)
        if isinstance(key, EvaluationError):
            run.charge(1)
            return key, True
        found, present = _qualified(value, key)
        if present or not optional:
            run.charge(1)
        if isinstance(found, EvaluationError):
            return found, True
        if self.test_only and not optional:
            return present, True
        if not present and not optional:
            return _missing(value, key), True
        return found, present


@dataclass(slots=True, eq=False)
class _Attribute:
    """A variable or a value, and the fields that lead on from it. A ternary has two such ways."""

    root: Step
    qualifiers: list[_Qualifier] = field(default_factory=list)
    ways: tuple[_Attribute, _Attribute] | None = None
    test_only: bool = False

    def add(self, qualifier: _Qualifier) -> None:
        if self.ways is None:
            self.qualifiers.append(qualifier)
        else:
            for way in self.ways:
                way.add(qualifier)

    def resolve(self, run: Run) -> Any:
        value = self.root(run)
        if self.ways is not None:
            if value is True:
                return self.ways[0].resolve(run)
            if value is False:
                return self.ways[1].resolve(run)
            return value if isinstance(value, EvaluationError) else _NO_OVERLOAD
        if isinstance(value, EvaluationError):
            return value
        optional = False
        if type(value) is Optional:
            if not value.present:
                return value
            optional, value = True, _native(value.value)
        for qualifier in self.qualifiers:
            optional = optional or qualifier.optional
            value, present = qualifier.of(run, value, optional)
            if isinstance(value, EvaluationError):
                return value
            if not present:
                return ABSENT
        return Optional(True, value) if optional else value

    def step(self) -> Step:
        resolve = self.resolve
        if self.ways is not None:
            return resolve
        if self.test_only:
            return lambda run: _tested(resolve(run))

        def observed(run: Run) -> Any:
            value = resolve(run)
            run.charge(1)
            return value

        return observed


def _native(value: Any) -> Any:
    """What an optional holds, without its schema: up to 1.36 the server loses that here."""
    if isinstance(value, MapView | ListView):
        return value.raw
    if isinstance(value, EvaluationError):
        return EvaluationError(f"unsupported conversion to ref.Val: (*errors.errorString){value.message}")
    return value


def _tested(value: Any) -> Any:
    return value.present if type(value) is Optional else value


def _qualified(value: Any, key: Any) -> tuple[Any, bool]:
    """The part of a value that a key names, and whether it has it."""
    if type(key) not in INDICES:
        return no_index(key), True
    if isinstance(value, Mapping):
        return find(value, key)
    if isinstance(value, EvaluationError):
        return value, True
    if isinstance(value, list | ListView):
        kind = type(key)
        if kind is float and key.is_integer():
            key = int(key)
        elif kind is not int and kind is not Uint:
            return EvaluationError(f"unsupported index type '{type_name(key)}' in list"), True
        return (value[key], True) if 0 <= key < len(value) else (None, False)
    return None, False


def _missing(value: Any, key: Any) -> EvaluationError:
    kind = "index out of bounds" if isinstance(value, list | ListView) else "no such key"
    return EvaluationError(f"{kind}: {shown(key)}")


_Planned = _Constant | _Plain | _Attribute


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """An expression that can run. `variables` are the names of the first slots, `size` is the number of all."""

    step: Step
    variables: tuple[str, ...]
    size: int

    def run(self, values: Sequence[Any], limit: int) -> tuple[Any, int]:
        """The value of the expression, or an error, and what it has cost.

        A value that is nested more deeply than Python can go is an error, too: no server has this limit, but nothing
        that people write comes near it.

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


def planned(typed: Typed, variables: tuple[str, ...]) -> Plan:
    """The plan of an expression whose variables get their values in this order.

    Raises:
        EvaluationError: a constant part of it fails, such as `duration('x')`.
    """
    planner = _Planner(typed, variables)
    step = planner.plan(typed.expression.root).step()
    return Plan(step, variables, planner.size)


class _Planner:
    def __init__(self, typed: Typed, variables: tuple[str, ...]) -> None:
        self._typed = typed
        self._slots: dict[str, Step] = {name: _read(index) for index, name in enumerate(variables)}
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
        if self._typed.types[node.id].kind is Kind.TYPE and name.removeprefix(".") not in self._slots:
            return _Constant(TypeValue(_TYPE_NAMES.get(name.removeprefix("."), name.removeprefix("."))))
        return _Attribute(self._slots[name.removeprefix(".")] if name not in self._slots else self._slots[name])

    def select(self, node: tree.Select) -> _Planned:
        if (name := self._typed.names.get(node.id)) is not None:
            return self._named(node, name)
        attribute = self._attribute(node.operand)
        attribute.add(_Qualifier(node.field, test_only=node.test_only))
        attribute.test_only = node.test_only
        return attribute

    def _attribute(self, node: tree.Node) -> _Attribute:
        plan = self.plan(node)
        if isinstance(plan, _Attribute) and not plan.test_only:
            return plan
        return _Attribute(plan.step())

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
            return _Plain(_logic(plans[0].step(), plans[1].step(), function == "_||_"))
        if overloads in (("optional_or_optional",), ("optional_orValue_value",)):
            return _Plain(_alternative(plans[0].step(), plans[1].step(), function == "orValue"))
        if overloads == ("in_list",) and isinstance(plans[1], _Constant) and (found := _member(*plans)):
            return found
        step = _call(function, overloads, [plan.step() for plan in plans])
        if function in CONVERSIONS and len(plans) == 1 and isinstance(plans[0], _Constant):
            value = step(Run([], 1 << 62))
            if isinstance(value, EvaluationError):
                raise value
            return _Constant(value)
        return _Plain(step)

    def _conditional(self, parts: Sequence[tree.Node]) -> _Planned:
        condition, then, other = (self.plan(part) for part in parts)
        ways = tuple(
            way if isinstance(way, _Attribute) and not way.test_only else _Attribute(way.step())
            for way in (then, other)
        )
        return _Attribute(condition.step(), ways=ways)  # type: ignore[arg-type]  # there are two

    def _index(self, parts: Sequence[tree.Node], optional: bool) -> _Planned:
        attribute = self._attribute(parts[0])
        key = self.plan(parts[1])
        match key:
            case _Constant():
                if type(key.value) not in INDICES:
                    raise no_index(key.value)
                attribute.add(_Qualifier(key.value, optional=optional))
            case _Attribute() if not key.test_only:
                attribute.add(_Qualifier(worked_out=key.resolve, optional=optional))
            case _:
                attribute.add(_Qualifier(worked_out=key.step(), optional=optional))
        return attribute

    def list_literal(self, node: tree.ListLiteral) -> _Planned:
        plans = [self.plan(element) for element in node.elements]
        steps = [plan.step() for plan in plans]
        optional = node.optional

        def made(run: Run) -> Any:
            items = []
            problem = None
            for index, step in enumerate(steps):
                value = step(run)
                if isinstance(value, EvaluationError):
                    problem = value
                    break
                if index in optional:
                    if type(value) is not Optional:
                        problem = EvaluationError(
                            f"cannot initialize optional list element from non-optional value {shown(value)}"
                        )
                        break
                    if not value.present:
                        continue
                    value = value.value
                items.append(value)
            run.charge(_NEW_LIST)
            return items if problem is None else problem

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
                key, value = key_step(run), value_step(run)
                problem = next((each for each in (key, value) if isinstance(each, EvaluationError)), None)
                if problem is None and type(entries) is dict and type(key) not in PLAIN_KEYS:
                    entries = Entries(entries.items())
                if problem is None and optional:
                    if type(value) is not Optional:
                        shown_value = shown(value)
                        problem = EvaluationError(
                            f"cannot initialize optional entry '{shown(key)}' from non-optional value {shown_value}"
                        )
                    elif not value.present:
                        entries.pop(key, None)
                        continue
                    else:
                        value = value.value
                if problem is not None:
                    break
                entries[key] = value
            run.charge(_NEW_MAP)
            return entries if problem is None else problem

        if all(isinstance(part, _Constant) for key, value, _ in plans for part in (key, value)):
            return _Constant(made(Run([], 1 << 62)))
        return _Plain(made)

    def comprehension(self, node: tree.Comprehension) -> _Planned:
        init = self._step(node.init)
        items = self._step(node.range)
        outer = dict(self._slots)
        accumulator, first, second = self.size, self.size + 1, self.size + 2
        self.size += 3
        self._slots[node.accu] = _lazy(accumulator, init)
        within = dict(self._slots)
        self._slots[node.var] = _read(first)
        if node.var2:
            self._slots[node.var2] = _read(second)
        condition, step = self._step(node.condition), self._step(node.step)
        self._slots = within
        result = self._step(node.result)
        self._slots = outer
        fold = _Fold(items, condition, step, result, accumulator, bool(node.var2))
        return _Plain(fold.run)


_TYPE_NAMES = {"duration": "google.protobuf.Duration", "timestamp": "google.protobuf.Timestamp"}

_PLANS: dict[type, Callable[[_Planner, Any], _Planned]] = {
    tree.Literal: _Planner.literal,
    tree.Ident: _Planner.ident,
    tree.Select: _Planner.select,
    tree.Call: _Planner.call,
    tree.ListLiteral: _Planner.list_literal,
    tree.MapLiteral: _Planner.map_literal,
    tree.Comprehension: _Planner.comprehension,
}


def _read(slot: int) -> Step:
    return lambda run: run.slots[slot]


def _lazy(slot: int, init: Step) -> Step:
    """The result of a loop, which begins when it is asked for."""

    def read(run: Run) -> Any:
        value = run.slots[slot]
        if value is _UNSET:
            value = run.slots[slot] = init(run)
        return value

    return read


@dataclass(frozen=True, slots=True, eq=False)
class _Fold:
    items: Step
    condition: Step
    step: Step
    result: Step
    slot: int
    is_double: bool

    def run(self, run: Run) -> Any:
        items = self.items(run)
        if isinstance(items, EvaluationError):
            return items
        slots, slot = run.slots, self.slot
        # A loop within itself (`x.all(…, y.all(…))`) has slots of its own; only its result is begun anew.
        slots[slot] = _UNSET
        if self.is_double:
            pairs = _pairs(items)
            if pairs is None:
                return EvaluationError(f"unsupported comprehension range type: {type_name(items)}")
            for slots[slot + 1], slots[slot + 2] in pairs:
                if self.condition(run) is False:
                    break
                slots[slot] = self.step(run)
        else:
            if not isinstance(items, list | ListView | Mapping):
                return EvaluationError(f"got '{type_name(items)}', expected iterable type")
            for item in items:
                slots[slot + 1] = item
                if self.condition(run) is False:
                    break
                slots[slot] = self.step(run)
        return self.result(run)


def _pairs(items: Any) -> Any:
    if isinstance(items, list | ListView):
        return enumerate(items)
    return items.items() if isinstance(items, Mapping) else None


def _logic(left: Step, right: Step, decided: bool) -> Step:
    """`&&` and `||`: the first operand that decides, else the first error."""

    def logic(run: Run) -> Any:
        first = left(run)
        if first is decided:
            return decided
        second = right(run)
        if second is decided:
            return decided
        for value in (first, second):
            if type(value) is not bool:
                return value if isinstance(value, EvaluationError) else _NO_OVERLOAD
        return not decided

    return logic


def _alternative(optional: Step, other: Step, held: bool) -> Step:
    """`a.or(b)` and `a.orValue(b)`, which look at `b` only where `a` holds nothing, and cost nothing."""

    def alternative(run: Run) -> Any:
        first = optional(run)
        if isinstance(first, EvaluationError):
            return first
        if type(first) is not Optional:
            return _NO_OVERLOAD
        if first.present:
            return first.value if held else first
        return other(run)

    return alternative


def _member(item: _Planned, items: _Planned) -> _Planned | None:
    """`x in [1, 2]`, which is looked up at no cost but that of `x`."""
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


def _call(function: str, overloads: tuple[str, ...], steps: list[Step]) -> Step:
    """A call. All arguments are worked out; the first error among them is the result."""
    operation = called(function, overloads)
    overload = overloads[0] if len(overloads) == 1 else ""
    strict = function != "@not_strictly_false"

    def call(run: Run) -> Any:
        values = [step(run) for step in steps]
        value: Any = None
        if strict:
            value = next((each for each in values if isinstance(each, EvaluationError)), None)
        if value is None:
            try:
                value = operation(*values)
            except AbortedError:
                raise
            except EvaluationError as error:
                value = error
        run.charge(call_cost(function, overload, values, value))
        return value

    return call
