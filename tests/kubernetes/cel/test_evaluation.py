"""What expressions give and cost when they run, as far as no other file tests it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel import Scope, compile_rule
from validation_gen.kubernetes.cel.data import build_shape
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.plan import Plan
from validation_gen.kubernetes.cel.program import prepare
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.values import EvaluationError

_LIMIT = 1_000_000


def planned(text: str, schema: dict[str, Any]) -> Plan:
    return prepare(text, Scope(schema, stored=True, resource=False)).plan


def ran(text: str, schema: dict[str, Any], value: Any) -> tuple[Any, int]:
    """What a rule gives and costs; for an error its text."""
    result, cost = planned(text, schema).run((build_shape(schema).read(value), None), _LIMIT)
    return result.message if isinstance(result, EvaluationError) else result, cost


_TEXT = {"type": "object", "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}


@each(
    ("text", "value", "expected"),
    [
        ("self.?name.orValue('none') == 'crab'", {"name": "crab"}, (True, 3)),
        ("self.?name.orValue('none') == 'none'", {}, (True, 2)),
        ("self.?name.or(optional.of('eel')).value() == 'crab'", {"name": "crab"}, (True, 4)),
        ("self.?name.or(optional.of('eel')).value() == 'eel'", {}, (True, 4)),
        ("self.?count.orValue(1 / 0) == 2", {"count": 2}, (True, 3)),
        ("self.?count.orValue(1 / 0) == 2", {}, ("division by zero", 3)),
    ],
)
def test_another_value_is_looked_at_only_if_there_is_none(text: str, value: Any, expected: tuple[Any, int]) -> None:
    assert ran(text, _TEXT, value) == expected


_INNER = {"type": "object", "properties": {"outer": _TEXT, "labels": {"type": "object", "additionalProperties": _TEXT}}}


@each(
    ("text", "value", "expected"),
    [
        ("has(self.?outer.name)", {"outer": {"name": "crab"}}, (True, 2)),
        ("has(self.?outer.name)", {"outer": {}}, (False, 1)),
        ("has(self.?outer.name)", {}, (False, 0)),
        ("has(self.labels[?'a'].count)", {"labels": {"a": {"count": 0}}}, (True, 3)),
        ("has(self.labels[?'a'].count)", {"labels": {"a": {}}}, (False, 2)),
        ("has(optional.of(self.outer).name)", {"outer": {"name": "crab"}}, (True, 4)),
        ("has(optional.of(self.outer).name)", {"outer": {}}, (False, 3)),
        ("has(self.outer.name)", {"outer": {}}, (False, 2)),
    ],
)
def test_has_looks_into_optionals(text: str, value: Any, expected: tuple[Any, int]) -> None:
    assert ran(text, _INNER, value) == expected


@each(
    ("text", "expected"),
    [
        ("{dyn(1): 2, dyn(true): 3, dyn(1u): 4, dyn(1.0): 5}.size() == 4", True),
        ("{dyn(1): 2, dyn(true): 3}.map(k, k).exists(k, k == true)", True),
        ("{dyn(true): 3, dyn(1): 2}[dyn(1u)] == 2", True),
        ("{dyn(true): 3, dyn(1): 2}[dyn(true)] == 3", True),
        ("{dyn(1): 2, dyn('a'): 3}[dyn(1.0)] == 2", True),
        ("{dyn(1): 2, dyn('a'): 3}[dyn(true)] == 2", "no such key: true"),
        ("dyn({1.0: 2})[dyn(1)] == 2", "no such key: 1"),
        ("dyn({1.0: 2}) == dyn({1: 2})", True),
        ("dyn({1: 2}) == dyn({1.0: 2})", False),
        ("{dyn(1): 2}.transformMapEntry(k, v, {dyn(true): v, dyn(k): v}).size() == 2", True),
        (
            "[1, 2].transformMapEntry(i, v, {dyn(i == 0 ? dyn(1) : dyn(1u)): v}).size() == 2",
            "insert failed: key 1 already exists",
        ),
        ("{'a': 1, ?'a': optional.none()}.size() == 0", True),
        ("{dyn([1]): 2}.size() == 1", True),
        ("{dyn(self): 2}.size() == 1", True),
        ("{bytes(self.name): 2}.size() == 1", "internal error: runtime error: hash of unhashable type types.Bytes"),
        ("timestamp('2020-01-01T00:00:00Z') in {timestamp('2020-01-01T00:00:00Z'): 1}", True),
        ("{dyn(1): 2}[dyn(bytes(self.name))] == 2", "invalid qualifier type: types.Bytes"),
    ],
)
def test_keys_of_maps_are_of_types(text: str, expected: Any) -> None:
    assert ran(text, _TEXT, {"name": "crab"})[0] == expected


@pytest.mark.parametrize(
    ("index", "type"), [("null", "types.Null"), ("dyn(b'a')", "types.Bytes"), ("int", "*types.Type")]
)
def test_an_index_that_no_key_is_like_is_refused(index: str, type: str) -> None:
    text = f"dyn({{'a': 1}})[{index}] == 1"
    refused = f"program instantiation failed: invalid qualifier type: {type}"
    assert compile_rule(text, Scope(_TEXT, stored=True, resource=False)).error == refused
    with pytest.raises(InvalidExpression, match=re.escape(refused)):
        planned(text, _TEXT)


def test_a_null_in_an_object_costs_what_its_error_costs() -> None:
    items = _list({"type": "object", "properties": {"name": {"type": "string", "nullable": True}}})
    schema = {"type": "object", "properties": {"items": items}}
    text = "self.items.indexOf(self.items[0]) == 0"
    assert ran(text, schema, {"items": [{"name": None}]}) == (True, 7)


def _list(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **{f"x-kubernetes-list-{name}": value for name, value in more.items()}}


_PORT = {"type": "object", "properties": {"name": {"type": "string"}, "port": {"type": "integer"}}}
_LISTS = {
    "type": "object",
    "properties": {
        "tags": _list({"type": "string"}, type="set"),
        "moments": _list({"type": "string", "format": "date-time"}, type="set"),
        "numbers": _list({"type": "number"}, type="set"),
        "pairs": _list(_list({"type": "string"}), type="set"),
        "ports": _list(_PORT, **{"type": "map", "map-keys": ["name"]}),
        "plain": _list({"type": "string"}),
    },
}
_OBJECT = {
    "tags": ["a", "b"],
    "moments": ["2020-01-01T00:00:00Z"],
    "numbers": [1, 2.5],
    "pairs": [["a"]],
    "ports": [{"name": "http", "port": 80}, {"name": "dns", "port": 53}],
    "plain": ["a", "b"],
}


@each(
    ("text", "expected"),
    [
        ("self.tags + ['b', 'c'] == ['c', 'b', 'a']", True),
        ("['c', 'b', 'a'] == self.tags + ['b', 'c']", False),
        ("size(self.tags + ['b', 'c']) == 3", True),
        ("[] + self.tags == ['b', 'a']", True),
        ("self.plain + self.tags == ['a', 'b', 'b', 'a']", False),
        ("self.ports + [self.ports[1]] == [self.ports[1], self.ports[0]]", True),
        ("(self.ports + self.ports)[1].port == 53 && size(self.ports + self.ports) == 2", True),
        ("self.tags == ['a', 'a']", True),
        ("self.numbers == self.numbers", False),
        ("self.numbers == [2.5, 2.5]", True),
        ("self.moments == self.moments", False),
        ("self.pairs == self.pairs", "internal error: runtime error: hash of unhashable type []interface {}"),
        ("self.pairs == self.pairs || true", "internal error: runtime error: hash of unhashable type []interface {}"),
        (
            "(self.moments + [timestamp('2020-01-01T00:00:00Z')])[1] == timestamp('2020-01-01T00:00:00Z')",
            "invalid data, expected string, got time.Time",
        ),
    ],
)
def test_lists_of_objects_keep_their_schemas(text: str, expected: Any) -> None:
    assert ran(text, _LISTS, _OBJECT)[0] == expected


def test_fields_that_no_expression_can_name_count_when_objects_are_compared() -> None:
    schema = _list({"type": "object", "properties": {"a@b": {"type": "string"}, "c.d": {"type": "string"}}})
    text = "self[0] == self[1]"
    assert ran(text, schema, [{"a@b": "x", "c.d": "y"}, {"a@b": "x", "c.d": "y"}])[0] is True
    assert ran(text, schema, [{"a@b": "x", "c.d": "y"}, {"a@b": "x", "c.d": "z"}])[0] is False
    assert ran(text, schema, [{"a@b": "x", "c.d": "y"}, {"a@b": "w", "c.d": "y"}])[0] is False
    assert ran("self[0].c__dot__d == 'y'", schema, [{"c.d": "y"}])[0] is True


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("self.name == 1", "compilation failed: ERROR: <input>:1:11: found no matching overload for '_==_'"),
        ("self.name.matches('(')", "compilation failed: ERROR: <input>:1:19: invalid matches argument"),
        ("[1, 'a'].size() == 2", "compilation failed: ERROR: <input>:1:5: expected type 'int' but found 'string'"),
        ("self.name.find('(') == ''", "program instantiation failed: error parsing regexp: missing closing )"),
        ("self.name", "cel expression must evaluate to a bool"),
    ],
)
def test_what_cannot_run(text: str, problem: str) -> None:
    with pytest.raises(InvalidExpression) as error:
        planned(text, _TEXT)
    assert str(error.value).startswith(problem)


def _nested(opening: str, inner: str, closing: str, times: int) -> str:
    return opening * times + inner + closing * times


@pytest.mark.parametrize(
    "text",
    [
        "1" + " + 1" * 240 + " > self.count",
        _nested("[1].all(x, ", "true", ")", 240),
        _nested("!(true && ", "self.count == 1", ")", 240),
        _nested("[", "1", "]", 240) + " == " + _nested("[", "1", "]", 240),
        "self.count == 1 ? true : " * 240 + "true",
    ],
)
def test_what_is_nested_deeply_runs_or_is_refused_with_words(text: str) -> None:
    words = "expression recursion limit exceeded: 250"
    try:
        result, _ = ran(text, _TEXT, {"count": 1})
    except InvalidExpression as error:
        result = str(error)
    assert isinstance(result, bool) or words in result


@each(
    ("text", "expected"),
    [
        ("[dyn('a'), dyn(1.5)].isSorted()", True),
        ("[dyn(1), dyn('a')].max() == 1", True),
        ("[dyn(true), dyn(1)].min() == true", True),
        ("[dyn([1]), dyn([2])].min() == [1]", "no such overload: min(list)"),
        ("[dyn(1), dyn(1.5), dyn(2u)].isSorted()", True),
        ("[dyn(2), dyn(1.5)].isSorted()", False),
        ("dyn('a') < dyn(1)", "no such overload"),
        ("optional.unwrap([dyn(1)]).size() == 1", "no such overload: optional.unwrap(list)"),
        ("optional.unwrap([dyn(optional.of(1)), dyn(1)]).size() == 1", "value 1 is not optional"),
        ("optional.unwrap([dyn(optional.of(1)), dyn(true)]).size() == 1", "value true is not optional"),
    ],
)
def test_what_is_of_several_types_has_no_order(text: str, expected: Any) -> None:
    assert ran(text, _TEXT, {})[0] == expected


@each(
    ("text", "expected"),
    [
        ("self.plain.flatten(2).size() == 2", (True, 2 + 15 + 1 + 1)),
        ("self.plain.flatten(-1) == []", ("level must be non-negative", 2 + 9)),
        ("self.plain.flatten(-9) == []", "cost"),
        ("self.plain.flatten(1 / 0) == [] || true", "ref.Val is *types.Err, not types.Int"),
        ("[1 / 0].distinct() == [] || true", "*types.Err is not traits.Lister: missing method Add"),
        ("self.plain.sortBy(x, 1 / 0) == [] || true", "*types.Err is not traits.Lister: missing method Add"),
    ],
)
def test_the_count_of_costs_has_its_limits(text: str, expected: Any) -> None:
    try:
        found: Any = ran(text, _LISTS, _OBJECT)
    except CostExceededError:
        found = "cost"
    if isinstance(expected, str) and expected != "cost":
        assert found[0] == f"internal error: interface conversion: {expected}"
    else:
        assert found == expected
