"""Values as schemas judge them: types, paths and texts of the API server."""

from __future__ import annotations

import itertools
from typing import Any

from tests.apiserver import ApiServer
from tests.kubernetes.crd.schemas import with_properties
from tests.kubernetes.objects.answers import answer, robot, root, texts
from tests.tables import each
from validation_gen.kubernetes.crd.schema import read_schema
from validation_gen.kubernetes.crd.values import DEFAULT, judge

TEXT = {"type": "string"}
INTEGER = {"type": "integer"}

_ONE = '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found '
_TWO = f"{_ONE}2 valid alternatives"

#: Schemas of `spec`, with values and what is said of each.
TABLE: list[tuple[dict[str, Any], list[tuple[Any, list[str]]]]] = [
    (
        TEXT,
        [
            ("a", []),
            (1, ['spec: Invalid value: "integer": spec in body must be of type string: "integer"']),
            (True, ['spec: Invalid value: "boolean": spec in body must be of type string: "boolean"']),
            ([], ['spec: Invalid value: "array": spec in body must be of type string: "array"']),
        ],
    ),
    (
        {"type": "string", "maxLength": 2, "minLength": 2, "pattern": "^ä+$"},
        [
            ("ää", []),
            ("äää", ["spec: Too long: may not be more than 2 bytes"]),
            ("ä", ['spec: Invalid value: "ä": spec in body should be at least 2 chars long']),
            ("äb", ["spec: Invalid value: \"äb\": spec in body should match '^ä+$'"]),
        ],
    ),
    (
        {"type": "string", "enum": ["a", "b"]},
        [
            ("a", []),
            ("c", ['spec: Unsupported value: "c": supported values: "a", "b"']),
        ],
    ),
    (
        {"x-kubernetes-preserve-unknown-fields": True, "enum": ["a"]},
        [({"z": 1, "a": 2}, ['spec: Unsupported value: {"a":2,"z":1}: supported values: "a"'])],
    ),
    (
        {"type": "integer", "enum": [1, 2.5]},
        [(1, []), (1.0, []), (3, ['spec: Unsupported value: 3: supported values: "1", "2.5"'])],
    ),
    (
        {"type": "integer", "format": "int32"},
        [
            (2**31 - 1, []),
            (3.0, []),
            (2**31, ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec']),
        ],
    ),
    (
        {"type": "integer"},
        [
            (-(2**63), []),
            # Go writes the float as -9223372036854776000, which is less.
            (
                -(2.0**63),
                [
                    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
                    'spec: Invalid value: "number": spec in body must be of type integer: "number"',
                ],
            ),
        ],
    ),
    (
        {"type": "integer", "minimum": 1, "maximum": 3, "exclusiveMaximum": True, "multipleOf": 2},
        [
            (2, []),
            (
                0,
                ["spec: Invalid value: 0: spec in body should be greater than or equal to 1"],
            ),
            (
                3,
                [
                    "spec: Invalid value: 3: spec in body should be a multiple of 2",
                    "spec: Invalid value: 3: spec in body should be less than 3",
                ],
            ),
        ],
    ),
    (
        {"type": "number", "minimum": 1, "maximum": 3},
        [
            (1, []),
            (3, []),
            (3.5, ["spec: Invalid value: 3.5: spec in body should be less than or equal to 3"]),
            (0.5, ["spec: Invalid value: 0.5: spec in body should be greater than or equal to 1"]),
        ],
    ),
    (
        {"type": "integer", "minimum": 1, "exclusiveMinimum": True},
        [(2, []), (1, ["spec: Invalid value: 1: spec in body should be greater than 1"])],
    ),
    (
        {"type": "number", "multipleOf": 0.5},
        [
            (1.5, []),
            (1.2, ["spec: Invalid value: 1.2: spec in body should be a multiple of 0.5"]),
            (1, ["spec: Invalid value: 0: factor MultipleOf declared for spec must be positive: 0"]),
        ],
    ),
    ({"type": "string", "nullable": True}, [(None, [])]),
    ({"type": "array", "items": {"type": "string", "nullable": True}}, [(["a", None], [])]),
    (
        {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 2},
        [
            ([1], []),
            ([], ["spec: Invalid value: 0: spec in body should have at least 1 items"]),
            ([1, 2, 3], ["spec: Too many: 3: must have at most 2 items"]),
            (["a"], ['spec[0]: Invalid value: "string": spec[0] in body must be of type integer: "string"']),
            (
                [None],
                ['spec[0]: Invalid value: "null": spec[0] in body must be of type integer: "null"'],
            ),
        ],
    ),
    (
        {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
        [(["a", "b"], []), (["a", "b", "a", "a"], ['spec[2]: Duplicate value: "a"'])],
    ),
    (
        {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name", "port"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": TEXT, "port": {**INTEGER, "default": 1}},
            },
        },
        [
            ([{"name": "a"}, {"name": "a", "port": 2}], []),
            ([{"name": "a"}, {"name": "a", "port": 1}], ['spec[1]: Duplicate value: {"name":"a","port":1}']),
            ([{}], ["spec[0].name: Required value"]),
        ],
    ),
    (
        {"type": "object", "additionalProperties": INTEGER, "minProperties": 1, "maxProperties": 1},
        [
            ({"a": 1}, []),
            ({}, ["spec: Invalid value: 0: spec in body should have at least 1 properties"]),
            ({"a": 1, "b": 2}, ["spec: Too many: 2: must have at most 1 item"]),
            ({"a": "b"}, ['spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"']),
        ],
    ),
    (
        {"x-kubernetes-int-or-string": True},
        [
            (1, []),
            ("1", []),
            (1.5, ['spec: Invalid value: "number": spec in body must be of type integer,string: "number"']),
        ],
    ),
    (
        {
            "type": "object",
            "properties": {"a": TEXT, "b": TEXT},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        [
            ({"a": "x"}, []),
            (
                {},
                [
                    f"{_ONE}none valid",
                    "spec.a: Required value",
                ],
            ),
            (
                {"a": "x", "b": "y"},
                [_TWO],
            ),
        ],
    ),
    (
        {
            "type": "object",
            "properties": {"a": TEXT},
            "not": {"required": ["a"]},
            "allOf": [{"minProperties": 0}, {"properties": {"a": {"enum": ["x"]}}}],
        },
        [
            ({}, []),
            ({"a": "x"}, ['<nil>: Invalid value: "": "spec" must not validate the schema (not)']),
            (
                {"a": "y"},
                [
                    '<nil>: Invalid value: "": "spec" must not validate the schema (not)',
                    '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
                    'spec.a: Unsupported value: "y": supported values: "x"',
                ],
            ),
        ],
    ),
    (
        {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "x-kubernetes-preserve-unknown-fields": True,
        },
        [
            ({"apiVersion": "v1", "kind": "Pod", "any": 1}, []),
            ({}, ["spec.apiVersion: Required value", "spec.kind: Required value"]),
            (
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b"}},
                ["spec.metadata.name: Invalid value: \"a/b\": may not contain '/'"],
            ),
        ],
    ),
]

CASES = [(schema, value, wanted) for schema, judged in TABLE for value, wanted in judged]


@each(("schema", "value", "wanted"), CASES)
def test_values(schema: dict[str, Any], value: Any, wanted: list[str]) -> None:
    assert texts(answer(root(schema), robot(value), field_validation="Ignore")) == wanted


@each("schema", [schema for schema, _ in TABLE])
def test_an_api_server_says_the_same(schema: dict[str, Any], apiserver: ApiServer) -> None:
    """Of every value on any schema."""
    values = [value for _, value, _ in CASES]
    definition = with_properties(spec=schema)
    verdicts = apiserver.validate_all(definition, [(robot(value), None) for value in values])
    for value, verdict in zip(values, verdicts, strict=True):
        theirs = sorted(error.text for error in verdict.errors)
        assert texts(answer(root(schema), robot(value), field_validation="Ignore")) == theirs, value


def test_resources_are_pruned_and_have_defaults() -> None:
    schema = root(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string", "default": "x"},
                "b": {"type": "string", "nullable": True, "default": "y"},
                "c": TEXT,
                "free": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"inside": {"type": "object", "properties": {"known": TEXT}}},
                },
            },
        }
    )
    given = {"b": None, "c": None, "d": 1, "free": {"x": 1, "inside": {"known": "a", "other": 1}}}
    wanted = {"a": "x", "b": None, "free": {"x": 1, "inside": {"known": "a"}}}
    stored = answer(schema, robot(given), field_validation="Ignore").object
    assert stored is not None
    assert stored["spec"] == wanted


def test_defaults_are_judged_by_another_form_of_a_schema() -> None:
    """In which unknown formats count, and an integer or string is of any type."""
    either = read_schema({"x-kubernetes-int-or-string": True})
    assert judge(either, 1.5, DEFAULT) == []
    assert [v.type for v in judge(either, 1.5)] == ["FieldValueTypeInvalid"]
    odd = read_schema({"type": "boolean", "format": "odd"})
    assert judge(odd, 1) != []
    assert [v.text for v in judge(odd, 1, DEFAULT)] == [' in body must be of type odd: "int64"']


def test_the_texts_of_errors_are_all_different() -> None:
    texts = list(itertools.chain.from_iterable(wanted for _, _, wanted in CASES))
    assert len(set(texts)) > 25
