"""Where a rule stands decides what `self` is, how often the rule runs, and whether it may use `oldSelf`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel import Scope, compile_message, compile_rule, escape, estimate, over_budget, scopes
from validation_gen.kubernetes.cel.program import NO_TYPE

Schema = dict[str, Any]
_STRING: Schema = {"type": "string"}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _list(items: Schema, **keywords: Any) -> Schema:
    return {"type": "array", "items": items, **keywords}


@each(
    ("name", "escaped"),
    [
        ("a", "a"),
        ("in", "__in__"),
        ("namespace", "__namespace__"),
        ("a.b-c/d", "a__dot__b__dash__c__slash__d"),
        ("a__b", "a__underscores__b"),
        ("a___b", "a__underscores___b"),
        ("_a", "_a"),
        ("-a", "__dash__a"),
        ("1a", None),
        ("a b", None),
        ("é", None),
        ("", None),
    ],
)
def test_escape(name: str, escaped: str | None) -> None:
    assert escape(name) == escaped


def _cardinality(schema: Schema) -> int | None:
    return [scope.cardinality for scope in scopes(Scope(schema))][-1]


@each(
    ("schema", "count"),
    [
        (_object(a=_object(b=_STRING)), 1),
        (_object(a=_list(_STRING, maxItems=7)), 7),
        (_object(a=_list(_STRING)), None),
        (_object(a=_list(_list(_STRING, maxItems=3), maxItems=7)), 21),
        (_object(a=_list(_list(_STRING, maxItems=3))), None),
        (_object(a={"type": "object", "additionalProperties": _STRING, "maxProperties": 5}), 5),
        (_object(a={"type": "object", "additionalProperties": _STRING}), None),
        (_object(a=_list(_STRING, maxItems=2**63), b=_list(_list(_STRING, maxItems=2**40), maxItems=2**40)), 2**64 - 1),
    ],
)
def test_cardinality(schema: Schema, count: int | None) -> None:
    assert _cardinality(schema) == count


def test_without_a_limit_the_size_of_a_request_is_one() -> None:
    items = Scope(_object(a=_list(_STRING))).child("a").items()
    assert compile_rule("self != ''", items).cost == 3 * 1024 * 1024 // 3


def test_smaller_items_can_be_there_more_often() -> None:
    inner = {**_object(key=_STRING, defaulted={"type": "string", "default": "a"}), "required": ["key", "defaulted"]}
    items = Scope(_object(a=_list(inner))).child("a").items()
    assert compile_rule("true || self.key == ''", items).cost == 2 * (3 * 1024 * 1024 // (2 + 3 + 2 + 4 + 1))


@pytest.mark.parametrize(
    ("keywords", "refused"),
    [
        ({}, True),
        ({"x-kubernetes-list-type": "atomic"}, True),
        ({"x-kubernetes-list-type": "set"}, True),
        ({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"]}, False),
    ],
)
def test_old_items_are_found_by_their_keys_only(keywords: Schema, refused: bool) -> None:
    schema = _object(a=_list(_object(key=_STRING), **keywords))
    rule = compile_rule("self.key == oldSelf.key", Scope(schema).child("a").items().child("key"))
    assert "undefined" not in rule.error
    rule = compile_rule("self == oldSelf", Scope(schema).child("a").items().child("key"))
    path = "spec.validation.openAPIV3Schema.properties[a]"
    expected = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {path}"
    assert rule.refusal == (expected if refused else "")


def test_the_outermost_list_is_named() -> None:
    schema = _object(a=_list(_object(b=_list(_STRING))))
    scope = Scope(schema, "root").child("a").items().child("b").items()
    assert scope.uncorrelatable == "root.properties[a]"
    assert scope.path == "root.properties[a].items.properties[b].items"


def test_old_values_of_maps_are_found() -> None:
    schema = _object(a={"type": "object", "additionalProperties": _STRING})
    assert not compile_rule("self == oldSelf", Scope(schema).child("a").values()).refusal


def test_optional_old_self() -> None:
    scope = Scope(_object(a=_STRING)).child("a")
    assert not compile_rule("oldSelf.orValue('') == self", scope, optional_old_self=True).error
    assert compile_rule("oldSelf.orValue('') == self", scope).error
    assert compile_rule("self == ''", scope, optional_old_self=True).refusal == (
        "may not be set if oldSelf is not used in rule"
    )


def test_every_resource_has_metadata() -> None:
    root = Scope(_object(spec=_object()))
    assert compile_rule("self.metadata.name == self.kind", root).cost == 5 + 102  # 253 characters may have 1012 bytes
    assert compile_rule("self.metadata.labels == {}", root).error


def test_embedded_resources_have_it_too() -> None:
    schema = _object(a={"type": "object", "x-kubernetes-embedded-resource": True}, b={"type": "object"})
    assert not compile_rule("self.a.metadata.name != ''", Scope(schema)).error
    assert not compile_rule("self.metadata.name != ''", Scope(schema).child("a")).error
    assert compile_rule("self.metadata.name != ''", Scope(schema).child("b")).error


def test_what_has_no_type_has_no_rules() -> None:
    scope = Scope(_object(a={"x-kubernetes-preserve-unknown-fields": True})).child("a")
    assert compile_rule("true", scope).error == NO_TYPE
    assert compile_message("'a'", scope).error == NO_TYPE


def test_a_very_deep_schema_has_no_rules() -> None:
    schema = _STRING
    for _ in range(2000):
        schema = _list(schema)
    assert compile_rule("true", Scope(schema)).error == NO_TYPE


def test_messages_are_strings_and_count_once() -> None:
    items = Scope(_object(a=_list({"type": "string", "maxLength": 5}, maxItems=100))).child("a").items()
    assert compile_message("'not ' + self", items).cost == 4
    assert compile_message("1", items).error == "messageExpression must evaluate to a string"
    assert compile_message("x", items).error.startswith("messageExpression compilation failed: ERROR: <input>:1:1: ")


@pytest.mark.parametrize(
    ("cost", "factor"),
    [(10_000_001, "1.000000x"), (15_000_000, "1.5x"), (1_000_000_000, "100.0x"), (1_000_000_001, "more than 100x")],
)
def test_over_budget(cost: int, factor: str) -> None:
    assert over_budget("estimated rule cost", cost, 10_000_000).startswith(
        f"estimated rule cost exceeds budget by factor of {factor} (try simplifying the rule, "
    )
    assert not over_budget("estimated rule cost", 10_000_000, 10_000_000)


def test_all_rules_of_a_schema() -> None:
    inner = {"type": "string", "x-kubernetes-validations": [{"rule": "self.matches(self)"}, {"rule": "self"}]}
    schema = {
        **_object(a=_list(inner, maxItems=10), b={**_STRING, "x-kubernetes-validations": [{"rule": " "}]}),
        "x-kubernetes-validations": [{"rule": "self.a == oldSelf.a", "messageExpression": "self.b"}],
    }
    found = estimate(schema)
    assert [rule.place for rule in found.rules] == [
        "spec.validation.openAPIV3Schema.x-kubernetes-validations[0]",
        "spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-validations[0]",
        "spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-validations[1]",
        "spec.validation.openAPIV3Schema.properties[b].x-kubernetes-validations[0]",
    ]
    assert [rule.cost for rule in found.rules] == [5 + 2, 10 * 247_390_273_538, 0, 0]
    assert found.total == sum(rule.cost for rule in found.rules)
    assert [(problem.path.removeprefix(found.path), problem.forbidden) for problem in found.problems()] == [
        (".properties[a].items.x-kubernetes-validations[0].rule", True),
        (".properties[a].items.x-kubernetes-validations[1].rule", False),
        (".properties[a].items.x-kubernetes-validations[0].rule", True),
        ("", True),
    ]


def _cost(rule: str, schema: Schema) -> int:
    compiled = compile_rule(rule, Scope(schema))
    assert not compiled.error
    return compiled.cost


def test_a_list_that_holds_nothing_costs_nothing_more() -> None:
    costs = [_cost("self.all(x, x != '')", _list(_STRING, maxItems=most)) for most in (0, 1, 2)]
    assert costs[1] - costs[0] == costs[2] - costs[1] > 0


def test_a_limit_of_pieces_bounds_what_comes_of_a_text() -> None:
    text = _STRING | {"maxLength": 100}
    rule = "self.split(','{}).all(x, x != '')"
    assert _cost(rule.format(", 2"), text) < _cost(rule.format(", 3"), text) < _cost(rule.format(""), text)


def test_items_that_may_be_there_are_of_the_type_of_the_others() -> None:
    schema = _object(text=_STRING, number={"type": "integer"})
    for rule, fails in (
        ("[?self.?text, 'a'].size() > 0", False),
        ("['a', ?self.?text].size() > 0", False),
        ("['a', ?self.?number].size() > 0", True),
        ("[?self.?number, 'a'].size() > 0", True),
    ):
        assert bool(compile_rule(rule, Scope(schema)).error) is fails, rule


def test_a_part_that_no_expression_can_name_is_typed_by_itself() -> None:
    rule = {"x-kubernetes-validations": [{"rule": "true"}]}
    scope = Scope({**_object(**{"a@b": _object(size={"type": "integer"})}), **rule}).child("a@b")
    assert not compile_rule("self.size > 1", scope).error
    assert "no matching overload for '_>_' applied to '(int, string)'" in compile_rule("self.size > 'a'", scope).error


def test_answers_about_equal_schemas_are_those_of_each_place() -> None:
    item = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}}
    lists = {"type": "array", "items": item, "maxItems": 7}
    root = Scope({"type": "object", "properties": {"one": item, "many": lists}})
    one, many = (compile_rule("self.a == 'b'", scope) for scope in (root.child("one"), root.child("many").items()))
    assert (one.base, one.cost * 7) == (many.base, many.cost)
    wrong = [compile_rule("self == 1", scope).error for scope in (root.child("one"), root.child("many").items())]
    assert wrong[0] == wrong[1]
    assert "selfType" in wrong[0]
