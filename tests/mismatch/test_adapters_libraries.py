"""Validators that are made with libraries, by these libraries themselves."""

from __future__ import annotations

import enum
import sys
from typing import Annotated, Any, Literal

import jsonschema
import kopf
import msgspec
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mismatch.adapted import ask, asked
from tests.mismatch.test_adapters import JSON
from tests.tables import each
from tests.thorough import drawn
from validation_gen.runtime.errors import Mark
from validation_gen.runtime.shapes import INT32, INT_OR_STRING, STRING, ListOf, MapOf, Pointer, Struct

Told = list[tuple[str, str, str]]


def spec_shape() -> Struct:
    spec, port = Struct("Spec"), Struct("Port")
    port.define({"name": STRING, "target": INT_OR_STRING})
    members = dict.fromkeys(("count", "small", "code", "mode", "kind"), STRING)
    spec.define(
        {**members, "ports": ListOf(Pointer(port)), "labels": MapOf(INT32), "target": INT_OR_STRING},
        attributes={"mode": "the_mode"},
    )
    return spec


# --- pydantic ---------------------------------------------------------------------------------------------------------


class Mode(enum.Enum):
    ON = "on"


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    name: Annotated[str, pydantic.Field(max_length=3)]


class Port(pydantic.BaseModel):
    name: Annotated[str, pydantic.Field(min_length=2, max_length=4)]
    target: int | Annotated[str, pydantic.Field(pattern="^[a-z]+$")] = 0


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    count: Annotated[int, pydantic.Field(ge=1, le=5)]
    small: Annotated[float, pydantic.Field(gt=0, lt=1, multiple_of=0.25)] = 0.5
    code: Annotated[str, pydantic.Field(pattern="^[a-z]+$")] = "a"
    mode: Mode = Mode.ON
    choice: Literal["a", "b"] = "a"
    ports: Annotated[list[Port], pydantic.Field(min_length=1, max_length=2)] = [Port(name="ab")]
    labels: Annotated[dict[Annotated[str, pydantic.Field(max_length=2)], int], pydantic.Field(max_length=1)] = {}
    target: int | str = 0
    pet: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")] | None = None
    raw: bytes = pydantic.Field(b"", max_length=2)
    uid: pydantic.UUID4 | None = None

    @pydantic.field_validator("code")
    @classmethod
    def _code(cls, code: str) -> str:
        assert code != "odd", "must not be odd"
        return code

    @pydantic.model_validator(mode="after")
    def _together(self) -> Model:
        if self.code == "both" and self.choice == "b":
            raise ValueError("choice: Forbidden: not with this code")
        return self


PYDANTIC: list[tuple[dict[str, Any], Told]] = [
    ({"count": 3}, []),
    ({}, [("count", "Required", "")]),
    ({"count": 0}, [("count", "Invalid", "minimum")]),
    ({"count": 6}, [("count", "Invalid", "maximum")]),
    ({"count": "x"}, [("count", "TypeInvalid", "")]),
    ({"count": []}, [("count", "TypeInvalid", "")]),
    ({"count": 1.5}, [("count", "TypeInvalid", "")]),
    ({"count": 1, "small": 0}, [("small", "Invalid", "minimum")]),
    ({"count": 1, "small": 1}, [("small", "Invalid", "maximum")]),
    ({"count": 1, "small": 0.3}, [("small", "Invalid", "?")]),
    ({"count": 1, "code": "A"}, [("code", "Invalid", "?")]),
    ({"count": 1, "code": "odd"}, [("code", "Invalid", "?")]),
    ({"count": 1, "mode": "off"}, [("mode", "NotSupported", "")]),
    ({"count": 1, "choice": "c"}, [("choice", "NotSupported", "")]),
    ({"count": 1, "typo": 1}, [("typo", "Forbidden", "?")]),
    ({"count": 1, "ports": []}, [("ports", "TooFew", "minItems")]),
    ({"count": 1, "ports": [{"name": "ab"}] * 3}, [("ports", "TooMany", "maxItems")]),
    ({"count": 1, "ports": [{"name": "ab"}, {"name": "a"}]}, [("ports[1].name", "TooShort", "minLength")]),
    ({"count": 1, "ports": [{"name": "abcde"}, {}]},
     [("ports[0].name", "TooLong", "maxLength"), ("ports[1].name", "Required", "")]),
    ({"count": 1, "ports": [5]}, [("ports[0]", "TypeInvalid", "")]),
    ({"count": 1, "labels": {"a": 1, "b": 2}}, [("labels", "TooMany", "maxProperties")]),
    ({"count": 1, "labels": {"abc": 1}}, [("labels", "TooLong", "maxLength")]),
    ({"count": 1, "target": []}, [("target", "TypeInvalid", "")]),
    ({"count": 1, "ports": [{"name": "ab", "target": "A"}]}, [("ports[0].target", "Invalid", "?")]),
    ({"count": 1, "pet": {"kind": "cow"}}, [("pet.kind", "NotSupported", "")]),
    ({"count": 1, "pet": {}}, [("pet.kind", "Required", "")]),
    ({"count": 1, "pet": {"kind": "dog", "name": "long"}}, [("pet.name", "TooLong", "maxLength")]),
    ({"count": 1, "pet": {"kind": "cat"}}, [("pet.lives", "Required", "")]),
    ({"count": 1, "raw": "abc"}, [("raw", "TooLong", "maxBytes")]),
    ({"count": 1, "uid": "x"}, [("uid", "Invalid", "?")]),
    ({"count": 1, "code": "both", "choice": "b"}, [("<nil>", "Forbidden", "?")]),
    ({"count": 0, "mode": "off"}, [("count", "Invalid", "minimum"), ("mode", "NotSupported", "")]),
]  # fmt: skip


def _raising(obj: Any) -> None:
    Model.model_validate(obj)


def _listing(obj: Any) -> Any:
    try:
        return Model.model_validate(obj)
    except pydantic.ValidationError as error:
        return error.errors()


@each(("obj", "wanted"), PYDANTIC, ids=lambda value: repr(value)[:40])
def test_pydantic(obj: dict[str, Any], wanted: Told) -> None:
    for validator in (_raising, _listing, Model, Model.model_validate, pydantic.TypeAdapter(Model)):
        assert asked(validator, obj) == wanted


def test_pydantic_with_a_shape() -> None:
    class Aliased(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(populate_by_name=True)

        the_mode: Literal["a"] = "a"
        labels: dict[str, int] = {}
        target: int | bool | None = None

    obj = {"spec": {"the_mode": "b", "labels": {"x.y": "z"}, "target": {}}}
    widget = Struct("Widget")
    widget.define({"spec": spec_shape()})
    wanted = [
        ("spec.mode", "NotSupported", ""),
        ("spec.labels[x.y]", "TypeInvalid", ""),
        ("spec.target", "TypeInvalid", ""),
    ]
    assert asked(lambda obj: Aliased.model_validate(obj["spec"]), obj, shape=widget, at="spec") == wanted
    assert asked(lambda obj: Aliased.model_validate(obj["spec"]), obj, shape=lambda _: widget, at="spec") == wanted


def test_bad_values_and_texts_of_pydantic() -> None:
    short, few = ask(Model, {"count": 0, "ports": []})
    assert (short.bad_value, short.detail) == (0, "Input should be greater than or equal to 1")
    assert few.bad_value == 0
    assert short.marks == {Mark.COVERED}


# --- kopf -------------------------------------------------------------------------------------------------------------


@kopf.on.validate("widgets")  # type: ignore[arg-type]
def handler(spec: Any, old: Any, name: str, operation: str, diff: Any, warnings: list[str], **_: Any) -> None:
    warnings.append("never mind")
    if operation == "UPDATE" and ("change", ("spec", "size"), 1, 2) in diff:
        raise kopf.AdmissionError(f"spec.size: Forbidden: {name} cannot grow from {old.spec['size']}", code=422)
    if spec.get("size", 0) > 5:
        raise kopf.AdmissionError("too big", code=400)
    if "size" not in spec:
        raise kopf.PermanentError


@kopf.on.validate("widgets")
async def async_handler(body: kopf.Body, dryrun: bool, labels: Any, **_: Any) -> None:
    assert dryrun
    if not labels.get("app"):
        raise kopf.AdmissionError(f"metadata.labels[app]: Required value: for {body.metadata.name}")


def test_kopf() -> None:
    def widget(**spec: Any) -> dict[str, Any]:
        return {"metadata": {"name": "w"}, "spec": spec}

    assert asked(handler, widget(size=1)) == []
    assert asked(handler, widget(size=6)) == asked(handler, widget()) == [("?", "?", "?")]
    [error] = ask(handler, widget(size=2), widget(size=1))
    assert str(error) == "spec.size: Forbidden: w cannot grow from 1"
    assert ask(handler, {"metadata": {"name": "w"}, "spec": {"size": 1}}, {"spec": {}}) == []
    assert asked(async_handler, widget()) == [("metadata.labels[app]", "Required", "?")]


# --- jsonschema -------------------------------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["count", "code"],
    "additionalProperties": False,
    "minProperties": 2,
    "maxProperties": 4,
    "dependentRequired": {"small": ["mode"]},
    "properties": {
        "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 5, "multipleOf": 1},
        "small": {"exclusiveMinimum": 0, "maximum": 3, "multipleOf": 2},
        "code": {"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-z]*$"},
        "mode": {"enum": ["a", "b"]},
        "never": False,
        "kind": {"const": "x"},
        "ports": {
            "type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": True,
            "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        },
        "labels": {"propertyNames": {"maxLength": 1}, "additionalProperties": {"type": "integer"}},
        "target": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "maxLength": 2}]},
        "one": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        "no": {"not": {"type": "string"}},
        "all": {"allOf": [{"minimum": 3}]},
    },
}  # fmt: skip
GOOD = {"count": 1, "code": "ab"}
JSONSCHEMA: list[tuple[dict[str, Any], Told]] = [
    ({}, []),
    ({"count": 0}, [("count", "Invalid", "minimum")]),
    ({"count": 5}, [("count", "Invalid", "maximum")]),
    ({"count": "x"}, [("count", "TypeInvalid", "")]),
    ({"code": "a"}, [("code", "TooShort", "minLength")]),
    ({"code": "abcd"}, [("code", "TooLong", "maxLength")]),
    ({"code": "AB"}, [("code", "Invalid", "?")]),
    ({"small": 4, "mode": "a"}, [("small", "Invalid", "maximum")]),
    ({"small": 0, "mode": "a"}, [("small", "Invalid", "minimum")]),
    ({"small": 1, "mode": "a"}, [("small", "Invalid", "?")]),
    ({"small": 2}, [("mode", "Required", "dependentRequired")]),
    ({"mode": "c"}, [("mode", "NotSupported", "")]),
    ({"kind": "y"}, [("kind", "NotSupported", "")]),
    ({"never": 1}, [("?", "Forbidden", "?")]),
    ({"typo": 1, "other": 1}, [("other", "Forbidden", "?"), ("typo", "Forbidden", "?")]),
    ({"ports": []}, [("ports", "TooFew", "minItems")]),
    ({"ports": [{"name": "a"}, {}, {"name": "a"}]}, [
        ("ports", "TooMany", "maxItems"), ("ports[1].name", "Required", ""), ("ports[2]", "Duplicate", ""),
    ]),
    ({"labels": {"ab": 1, "c": "x"}}, [("labels", "TooLong", "maxLength"), ("labels.c", "TypeInvalid", "")]),
    ({"target": 0}, [("target", "Invalid", "minimum")]),
    ({"target": "abc"}, [("target", "TooLong", "maxLength")]),
    ({"target": []}, [("target", "Invalid", "?")]),
    ({"one": {}}, [("one", "Invalid", "?")]),
    ({"one": {"a": 1, "b": 1}}, [("one", "Invalid", "?")]),
    ({"no": "x"}, [("no", "Invalid", "?")]),
    ({"all": 1}, [("all", "Invalid", "minimum")]),
    ({"mode": "a", "kind": "x", "target": 1}, [("<nil>", "TooMany", "maxProperties")]),
]  # fmt: skip


@each(("part", "wanted"), JSONSCHEMA, ids=lambda value: repr(value)[:40])
def test_jsonschema(part: dict[str, Any], wanted: Told) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    obj = GOOD | part
    for way in (validator, validator.iter_errors, lambda obj: list(validator.iter_errors(obj))):
        assert sorted(asked(way, obj)) == wanted
    first = asked(lambda obj: jsonschema.validate(obj, SCHEMA, jsonschema.Draft202012Validator), obj)
    assert set(first) <= set(wanted)
    assert bool(first) == bool(wanted)


def test_required_by_jsonschema() -> None:
    found = sorted(asked(jsonschema.Draft202012Validator(SCHEMA), {"mode": "a"}))
    assert found == [("<nil>", "TooFew", "minProperties"), ("code", "Required", ""), ("count", "Required", "")]
    old = {"dependencies": {"a": ["b"]}}
    assert asked(jsonschema.Draft7Validator(old), {"a": 1}) == [("b", "Required", "dependentRequired")]


# --- msgspec ----------------------------------------------------------------------------------------------------------


class Inner(msgspec.Struct):
    name: Annotated[str, msgspec.Meta(min_length=2, max_length=3, pattern="^[a-z]*$")]


class Packed(msgspec.Struct, forbid_unknown_fields=True):
    count: Annotated[int, msgspec.Meta(ge=1, lt=5)]
    mode: Literal["a", "b"] = "a"
    ports: Annotated[list[Inner], msgspec.Meta(max_length=1)] = []
    labels: dict[str, int] = {}


@each(
    ("obj", "wanted"),
    [
        ({"count": 1}, []),
        ({}, [("count", "Required", "")]),
        ({"count": 0}, [("count", "Invalid", "minimum")]),
        ({"count": 5}, [("count", "Invalid", "maximum")]),
        ({"count": "x"}, [("count", "TypeInvalid", "")]),
        ({"count": 1, "mode": "c"}, [("mode", "NotSupported", "")]),
        ({"count": 1, "typo": 1}, [("typo", "Forbidden", "?")]),
        ({"count": 1, "ports": [{"name": "ab"}, {"name": "ab"}]}, [("ports", "TooMany", "maxItems")]),
        ({"count": 1, "ports": [{"name": "a"}]}, [("ports[0].name", "TooShort", "minLength")]),
        ({"count": 1, "ports": [{"name": "abcd"}]}, [("ports[0].name", "TooLong", "maxLength")]),
        ({"count": 1, "ports": [{"name": "AB"}]}, [("ports[0].name", "Invalid", "?")]),
        ({"count": 1, "ports": [{}]}, [("ports[0].name", "Required", "")]),
        ({"count": 1, "labels": {"a": "b"}}, [("?", "TypeInvalid", "")]),
        (5, [("<nil>", "TypeInvalid", "")]),
    ],
)
def test_msgspec(obj: Any, wanted: Told) -> None:
    assert asked(Packed, obj) == asked(lambda obj: msgspec.convert(obj, Packed), obj) == wanted


# --- others, where they are installed ---------------------------------------------------------------------------------

OBJ = {"name": "abcd", "items": [{"n": 0}, {}], "extra": 1}
_MANY = [("extra", "Forbidden", "?"), ("items[0].n", "Invalid", "minimum"), ("items[1].n", "Required", ""),
         ("name", "TooLong", "maxLength")]  # fmt: skip


def test_marshmallow() -> None:
    marshmallow = pytest.importorskip("marshmallow")
    fields, validate = marshmallow.fields, marshmallow.validate
    item = marshmallow.Schema.from_dict({"n": fields.Integer(required=True, validate=validate.Range(min=1))})
    schema = marshmallow.Schema.from_dict({
        "name": fields.String(validate=validate.Length(max=3)),
        "items": fields.List(fields.Nested(item)),
        "labels": fields.Dict(keys=fields.String(validate=validate.Length(max=1)), values=fields.Integer()),
    })  # fmt: skip
    for way in (schema, schema(), schema().load, schema().validate, lambda obj: schema().load(obj)):
        assert sorted(asked(way, OBJ)) == _MANY
    shape = Struct("Widget")
    shape.define({"labels": MapOf(INT32)})
    found = asked(schema, {"labels": {"ab": "x"}}, shape=shape)
    assert found == [("labels[ab]", "TypeInvalid", ""), ("labels", "TooLong", "maxLength")]


def test_voluptuous() -> None:
    v: Any = pytest.importorskip("voluptuous")
    item = {v.Required("n"): v.All(int, v.Range(min=1))}
    schema = v.Schema({"name": v.All(str, v.Length(max=3)), "items": [item]})
    for way in (schema, lambda obj: schema(obj) and None):
        assert sorted(asked(way, OBJ)) == [_MANY[0], _MANY[1], _MANY[3]]  # it stops at the first bad item
        assert asked(way, {"items": [{}]}) == [("items[0].n", "Required", "")]
        assert asked(way, {"name": "abc"}) == []
        assert asked(way, {"name": 5}) == [("name", "TypeInvalid", "")]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no exception groups")
def test_cattrs() -> None:
    attrs, cattrs = pytest.importorskip("attrs"), pytest.importorskip("cattrs")
    check = attrs.validators
    item = attrs.make_class("Item", {"n": attrs.field(type=int, validator=check.ge(1))})
    widget = attrs.make_class("Widget", {
        "name": attrs.field(type=str, validator=check.max_len(3)),
        "items": attrs.field(type=list[item]),  # type: ignore[valid-type]
    })  # fmt: skip
    converter = cattrs.Converter(forbid_extra_keys=True)

    def asked_of(obj: Any) -> Told:
        return sorted(asked(lambda obj: converter.structure(obj, widget), obj))

    assert asked_of({"name": "abc", "items": []}) == []
    assert asked_of({"name": "abcd", "items": []}) == [("name", "TooLong", "maxLength")]
    assert asked_of({"name": "abc", "items": [{"n": 0}, {}, {"n": "x"}]}) == [
        ("items[0].n", "Invalid", "minimum"), ("items[1].n", "Required", ""), ("items[2].n", "TypeInvalid", ""),
    ]  # fmt: skip
    assert asked_of({"name": "abc", "items": [], "extra": 1}) == [("extra", "Forbidden", "?")]


# --- never raises -----------------------------------------------------------------------------------------------------


@settings(max_examples=drawn(60))
@given(obj=st.dictionaries(st.sampled_from([*Model.model_fields, "typo"]), JSON, max_size=6))
def test_every_error_of_a_library_has_a_place(obj: Any) -> None:
    for shape in (None, spec_shape()):
        for validator in (Model, jsonschema.Draft202012Validator(SCHEMA), Packed):
            assert all(str(error) for error in ask(validator, obj, shape=shape))
