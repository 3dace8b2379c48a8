"""Why a rule does not hold, and how its parts are written."""

from __future__ import annotations

from typing import Any

from tests.tables import each
from validation_gen.kubernetes.cel import Scope, parse
from validation_gen.kubernetes.cel.data import build_shape
from validation_gen.kubernetes.cel.program import prepare
from validation_gen.kubernetes.cel.spelling import explain, spell_expression
from validation_gen.kubernetes.cel.values import EvaluationError

ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "most": {"type": "integer"},
        "name": {"type": "string"},
        "items": {"type": "array", "items": ITEM},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
OBJECT = {"most": 2, "items": [{"name": "a", "size": 1}, {"name": "b", "size": 3}], "map": {"a": 1}}


def told(rule: str) -> list[str]:
    found = prepare(rule, Scope(SCHEMA, stored=True, resource=False))
    values = {"self": build_shape(SCHEMA).read(OBJECT), "oldSelf": None}
    return [f"{'  ' * part.depth}{part.text} = {shown(part.value)}" for part in explain(found.typed, values)]


def shown(value: Any) -> str:
    return f"error: {value.message}" if isinstance(value, EvaluationError) else str(getattr(value, "raw", value))


@each(
    ("rule", "wanted"),
    [
        ("self.most > 5", ["self.most > 5 = False", "  self.most = 2"]),
        (
            "self.most > 1 && self.most > 5",
            ["self.most > 1 && self.most > 5 = False", "  self.most > 5 = False", "    self.most = 2"],
        ),
        (
            "self.items.all(i, i.size <= self.most)",
            [
                "self.items.all(i, i.size <= self.most) = False",
                "  size(self.items) = 2",
                "  i = {'name': 'b', 'size': 3}",
                "    i.size <= self.most = False",
                "      i.size = 3",
                "      self.most = 2",
            ],
        ),
        (
            "self.map.all(k, v, v > 1)",
            [
                "self.map.all(k, v, v > 1) = False",
                "  size(self.map) = 1",
                "  k = a",
                "  v = 1",
                "    v > 1 = False",
                "      v = 1",
            ],
        ),
        (
            "has(self.name) ? self.name == 'a' : self.most == 3",
            [
                "has(self.name) ? self.name == 'a' : self.most == 3 = False",
                "  has(self.name) = False",
                "  self.most == 3 = False",
                "    self.most = 2",
            ],
        ),
        (
            "sets.contains([1], [self.most])",
            ["sets.contains([1], [self.most]) = False", "  [1] = [1]", "  [self.most] = [2]"],
        ),
        ("self.name == 'a'", ["self.name == 'a' = error: no such key: name", "  self.name = error: no such key: name"]),
    ],
)
def test_what_has_decided(rule: str, wanted: list[str]) -> None:
    assert told(rule) == wanted


@each(
    "text",
    [
        "self.a || self.b && !self.c",
        "(self.a || self.b) && self.c == (1 - (2 - 3))",
        "has(self.a) && self.a.exists_one(x, x in ['a', \"it's\"])",
        "self.a.exists(k, v, k < v)",
        "self.?a.orValue(2u) == {'a': [1.5, true, null]}['a'][0]",
        "size(self.a) > -self.b ? self.c.startsWith('x') : false",
    ],
)
def test_parts_are_written_as_they_were_read(text: str) -> None:
    written = spell_expression(parse(text).root)
    assert written == text.replace("(1 - (2 - 3))", "1 - (2 - 3)")
    assert spell_expression(parse(written).root) == written
