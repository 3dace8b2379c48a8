"""Expressions without a schema, as the tests of libraries run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from validation_gen.kubernetes.cel import operations, plan, tree, types
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment, functions
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.values import ABSENT, EvaluationError, Optional

#: The release at whose server this aims.
_MINOR = 36
_LIMIT = 1 << 62

Ran = tuple[Any, int]


def ran(text: str, variables: Mapping[str, tuple[types.Type, Any]] | None = None) -> Ran:
    """What an expression gives, and what it costs. An expression that cannot run gives why."""
    variables = variables or {}
    declared = {name: type for name, (type, _) in variables.items()}
    try:
        typed = check_expression(parse(text, quoted=False), Environment(declared, functions(_MINOR, stored=True), {}))
        found = plan.make_plan(typed, tuple(variables))
    except InvalidExpression as error:
        return error, 0
    except EvaluationError as error:
        return error, 0
    return found.run([value for _, value in variables.values()], _LIMIT)


def unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked out beforehand, as in tests that run without the options of the API server."""
    costs = {tree.Literal: 0, tree.ListLiteral: plan._NEW_LIST, tree.MapLiteral: plan._NEW_MAP}
    for kind, cost in costs.items():
        monkeypatch.setitem(plan._PLANS, kind, _plain(plan._PLANS[kind], cost))


def _plain(planned: Callable[[Any, Any], Any], cost: int) -> Callable[[Any, Any], Any]:
    def plain(planner: Any, node: Any) -> Any:
        found = planned(planner, node)
        if not isinstance(found, plan._Constant):
            return found
        value = found.value

        def charged(run: operations.Run) -> Any:
            if cost:
                run.charge(cost)
            return value

        return plan._Plain(charged)

    return plain


def _declared(name: str, type: types.Type) -> tuple[str, types.Type]:
    return name, type


_as_it_is: Callable[[Any], Any] = lambda value: value  # noqa: E731

#: What Go tests of libraries write values and types with.
NATIVES: Mapping[str, Any] = {
    **dict.fromkeys(("types.Int", "types.Double", "types.Bool", "types.String", "types.Bytes"), _as_it_is),
    **dict.fromkeys(("uint64", "int64", "int"), int),
    "append": lambda items, *more: [*items, *more],
    "types.True": True,
    "types.False": False,
    "types.OptionalNone": ABSENT,
    "types.OptionalOf": lambda value: Optional(True, value),
    "types.NewStringList": lambda adapter, items: items,
    "types.DefaultTypeAdapter": None,
    "types.NullValue": None,
    "checker.FixedCostEstimate": lambda cost: cost,
    "cel.Variable": _declared,
    "cel.ListType": types.list_type,
    "cel.MapType": types.map_type,
    "cel.IntType": types.INT,
    "cel.UintType": types.UINT,
    "cel.DoubleType": types.DOUBLE,
    "cel.StringType": types.STRING,
    "cel.BoolType": types.BOOL,
    "cel.DynType": types.DYN,
    "math.NaN": lambda: float("nan"),
    "math.Inf": lambda sign: float("inf") * sign,
    "math.MaxUint64": (1 << 64) - 1,
    "math.MaxInt64": (1 << 63) - 1,
    "math.MinInt64": -(1 << 63),
}
