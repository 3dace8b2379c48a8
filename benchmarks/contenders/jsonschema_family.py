"""Validators of JSON Schema: `jsonschema`, `jsonschema-rs` and `fastjsonschema`, all with the same schema.

A schema cannot say that items differ in their keys. So these do not check list-maps, and do less than the others.
"""

from __future__ import annotations

from typing import Any

import fastjsonschema
import jsonschema
import jsonschema_rs

from benchmarks.contenders.base import Contender
from benchmarks.rules import (
    INT32,
    QUANTITY,
    Amount,
    Anything,
    Items,
    Mapped,
    Rule,
    Struct,
    Text,
    Truth,
    Whole,
    WholeOrText,
    structs,
)

_BLIND = frozenset({"FieldValueDuplicate"})


def schema(kind: Struct, *, shared: bool) -> dict[str, Any]:
    """The rules as JSON Schema: types are referred to if they are `shared`, else spelt out wherever they are used."""

    def said(rule: Rule) -> dict[str, Any]:
        match rule:
            case Text():
                return _text(rule)
            case Whole(least=least, most=most):
                return {"type": "integer", "minimum": least, "maximum": most}
            case Truth():
                return {"type": "boolean"}
            case WholeOrText():
                return {"type": ["integer", "string"], "minimum": INT32[0], "maximum": INT32[1]}
            case Amount():
                return {"type": ["string", "number"], "pattern": QUANTITY}
            case Anything():
                return {}
            case Items(item=item, least=least, most=most):
                limits = {"minItems": least, "maxItems": most}
                return {"type": "array", "items": said(item)} | _given(limits)
            case Mapped(value=value):
                return {"type": "object", "additionalProperties": said(value)}
            case Struct(name=name):
                return {"$ref": f"#/definitions/{name}"} if shared else struct(rule)

    def struct(rule: Struct) -> dict[str, Any]:
        properties = {name: said(member) for name, member in rule.members.items()}
        required = {"required": sorted(rule.required)} if rule.required else {}
        return {"type": "object", "properties": properties} | required

    definitions = {"definitions": {each.name: struct(each) for each in structs(kind)}} if shared else {}
    return {"$schema": "http://json-schema.org/draft-07/schema#"} | definitions | struct(kind)


def _text(rule: Text) -> dict[str, Any]:
    if rule.values:
        return {"enum": list(rule.values)}
    limits = {"minLength": rule.min_length, "maxLength": rule.max_length, "pattern": rule.pattern}
    return {"type": "string"} | _given(limits)


def _given(limits: dict[str, Any]) -> dict[str, Any]:
    return {name: limit for name, limit in limits.items() if limit is not None}


def contenders(kind: Struct) -> list[Contender]:
    """The contenders, with the schema spelt out, with which all of them are faster.

    `fastjsonschema` is also given the one with references, as that is the form in which people have large schemas.
    """
    spelt_out = schema(kind, shared=False)
    return [
        *_rust(spelt_out),
        _fast("fastjsonschema", "fastjsonschema", spelt_out),
        _fast("fastjsonschema-refs", "fastjsonschema, schema with `$ref`", schema(kind, shared=True)),
        _plain(spelt_out),
    ]


def _rust(told: dict[str, Any]) -> list[Contender]:
    validator = jsonschema_rs.Draft7Validator(told)

    def errors(obj: Any) -> list[str]:
        return [f"{'.'.join(map(str, e.instance_path))}: {e.message}" for e in validator.iter_errors(obj)]

    def verdict(obj: Any) -> list[str]:
        return [] if validator.is_valid(obj) else ["invalid"]

    return [
        Contender("jsonschema-rs", "jsonschema-rs, with path and message", "all", errors, blind=_BLIND),
        Contender("jsonschema-rs-bool", "jsonschema-rs, `is_valid`", "verdict", verdict, blind=_BLIND),
    ]


def _fast(key: str, title: str, told: dict[str, Any]) -> Contender:
    validate = fastjsonschema.compile(told, use_default=False)

    def errors(obj: Any) -> list[str]:
        try:
            validate(obj)
        except fastjsonschema.JsonSchemaValueException as error:
            return [str(error)]
        return []

    return Contender(key, title, "first", errors, blind=_BLIND)


def _plain(told: dict[str, Any]) -> Contender:
    validator = jsonschema.Draft7Validator(told)

    def errors(obj: Any) -> list[str]:
        return [f"{e.json_path}: {e.message}" for e in validator.iter_errors(obj)]

    return Contender("jsonschema", "jsonschema", "all", errors, blind=_BLIND)
