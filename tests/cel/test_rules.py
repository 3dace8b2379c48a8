from __future__ import annotations

import pytest

from validation_gen.cel import Scope, compile_rule

SPEC = {
    "type": "object",
    "properties": {
        "list": {"type": "array", "items": {"type": "string", "maxLength": 10}, "maxItems": 5},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "name": {"type": "string"},
    },
}


@pytest.mark.parametrize(
    ("rule", "cost"),
    [
        ("self.list.all(x, x.size() > 2)", 33),
        ("self.name == 'a'", 3),
        ("self.map['a'] > 1 && self.map.a > 1", 8),
        ("self.name.matches('[a-z]+') && oldSelf.name == self.name", 943725),
    ],
)
def test_costs(rule: str, cost: int) -> None:
    assert compile_rule(rule, Scope(SPEC)).cost == cost
