"""Equal schemas, of which each expression is judged once, and places where schemas do not say all."""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel import Scope, compile_rule


def _scope(**properties: Any) -> Scope:
    return Scope({"type": "object", "properties": properties})


def test_equal_schemas_have_one_digest() -> None:
    part = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}}
    one, other = _scope(x=part), _scope(y={**part}, z={**part, "maxProperties": 1})
    assert one.child("x").digest == other.child("y").digest != b""
    assert other.child("z").digest != other.child("y").digest


def test_types_of_values_tell_digests_apart() -> None:
    digests = {_scope(a={"type": "string", "enum": [value]}).child("a").digest for value in (1, 1.0, True, "1")}
    assert len(digests) == 4


def test_what_each_resource_has_is_not_remembered() -> None:
    part = {"type": "object", "properties": {"labels": {"type": "object", "x-kubernetes-validations": []}}}
    root = _scope(metadata=part, kind={"type": "string"}, spec=part)
    assert [each.digest for each in (root, root.child("metadata"), root.child("kind"))] == [b""] * 3
    assert root.child("metadata").child("labels").digest == b""
    assert root.child("spec").digest


def test_large_schemas_are_not_remembered() -> None:
    assert _scope(a={"type": "string", "description": "x" * 70_000}).child("a").digest == b""


def test_answers_of_equal_places_are_those_of_each() -> None:
    """The name of the type, the cost and the number of objects are of each place, whatever was asked before."""
    item = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}}
    lists = {"type": "array", "items": item, "maxItems": 7}
    root = _scope(one=item, many=lists)
    one, many = (compile_rule("self.a == 'b'", scope) for scope in (root.child("one"), root.child("many").items()))
    assert (one.base, one.cost * 7) == (many.base, many.cost)
    wrong = [compile_rule("self == 1", scope).error for scope in (root.child("one"), root.child("many").items())]
    assert wrong[0] == wrong[1]
    assert "selfType" in wrong[0]
