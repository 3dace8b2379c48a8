"""Whatever a rule of the right types meets, running it gives a truth value or an error, or costs too much."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.kubernetes.cel.writer import Writer, random_schema
from validation_gen.kubernetes.cel import Scope, types
from validation_gen.kubernetes.cel.data import build_shape
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.program import prepare
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.values import EvaluationError

_TEXTS = ("a", "", "hello", "é", "2020-01-01T00:00:00Z", "2020-01-01", "1h", "QUI=", "10.0.0.1", "x" * 300)
_ODD: tuple[Any, ...] = (None, 1, "a", [], {}, True, 1.5, [None], {"a": None})
_SCALARS: dict[str, tuple[Any, ...]] = {
    "integer": (0, 1, -3, 2**63 - 1, -(2**63)),
    "number": (0, 1, 1.5, -2e300),
    "boolean": (True, False),
}


def _value(random: random.Random, schema: dict[str, Any]) -> Any:
    """A value of a schema, with now and then a part that is none."""
    type = schema.get("type")
    if random.random() < 0.03:
        return random.choice(_ODD)
    if type == "string":
        return random.choice(schema.get("enum", _TEXTS))
    if type in _SCALARS:
        return random.choice(_SCALARS[type])
    if type == "array":
        return [_value(random, schema["items"]) for _ in range(random.randint(0, 3))]
    if "additionalProperties" in schema:
        return {name: _value(random, schema["additionalProperties"]) for name in random.sample("abcd", 2)}
    if type == "object":
        parts = schema.get("properties", {}).items()
        return {name: _value(random, part) for name, part in parts if random.random() < 0.8}
    return random.choice((1, "a"))


@given(st.integers(0, 2**32))
def test_rules_of_the_right_types(seed: int) -> None:
    rand = random.Random(seed)
    schema = {"type": "object", "properties": {name: random_schema(rand) for name in "abc"}}
    scope, shape = Scope(schema, stored=True, resource=False), build_shape(schema)
    assert scope.declared is not None
    environment = scope.environment(scope.declared, optional=False)
    text = Writer(rand, environment.variables["self"], environment.objects).expression(types.BOOL)
    try:
        plan = prepare(text, scope).plan
    except InvalidExpression:
        return
    try:
        result, cost = plan.run([shape.read(_value(rand, schema)) for _ in range(2)], 100_000)
    except CostExceededError:
        return
    assert isinstance(result, bool | EvaluationError)
    assert cost >= 0
