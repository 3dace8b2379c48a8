"""Whatever a definition holds, there are findings and never an exception."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kubernetes.crd.cases import all_cases
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import scheme_of
from tests.thorough import drawn
from validation_gen.kubernetes.crd.gotypes import DEFINITION, SCHEMA, ListOf, MapOf, Own, Struct
from validation_gen.kubernetes.crd.run import check, is_definition
from validation_gen.kubernetes.crd.schema import read_schema
from validation_gen.kubernetes.crd.structural import find_unsupported

DEFINITIONS = [case.manifest.obj for case in all_cases()]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**65), 2**65),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6),
    st.sampled_from(["object", "array", "string", "integer", "set", "map", "atomic", "^(a", ".spec", "v1"]),
)
names = st.sampled_from(["a", "spec", "metadata", "kind", "apiVersion"]) | st.text(max_size=3)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "spec", "metadata", "kind", "apiVersion"]) | st.text(max_size=3), inner, max_size=3
        )
    ),
    max_leaves=10,
)


def _names(type: Any, found: set[str]) -> set[str]:
    """The names of all fields of a type."""
    if isinstance(type, Struct) and not type.fields.keys() <= found:
        found |= type.fields.keys()
        for part in type.fields.values():
            _names(part, found)
    elif isinstance(type, ListOf):
        _names(type.item, found)
    elif isinstance(type, MapOf):
        _names(type.value, found)
    elif isinstance(type, Own) and type.struct:
        _names(type.struct, found)
    return found


keywords = st.sampled_from(sorted(SCHEMA.fields))
schemas: st.SearchStrategy[Any] = st.recursive(
    st.dictionaries(keywords, values, max_size=4),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", "integer", "number", "boolean"]),
            "properties": st.dictionaries(st.sampled_from(["a", "b", "metadata", "kind"]), inner, max_size=3),
            "items": inner,
            "additionalProperties": inner | st.booleans(),
            "anyOf": st.lists(inner, max_size=2),
            "allOf": st.lists(inner, max_size=2),
            "not": inner,
            "default": values,
            "x-kubernetes-embedded-resource": st.booleans(),
            "x-kubernetes-list-type": st.sampled_from(["set", "map"]),
            "x-kubernetes-list-map-keys": st.lists(st.sampled_from(["a", "b"]), max_size=2),
        },
    ),
    max_leaves=8,
)


@settings(max_examples=drawn(150), deadline=None)
@given(schemas)
def test_any_schema(schema: Any) -> None:
    obj = definition(schema)
    found = check(obj)
    assert found == check(copy.deepcopy(obj))
    assert all(finding.message for finding in found)


@settings(max_examples=drawn(100), deadline=None)
@given(values)
def test_any_definition(value: Any) -> None:
    obj = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": value,
        "metadata": value,
    }
    check(obj)
    is_definition(value)


@settings(max_examples=drawn(150), deadline=None)
@given(st.data())
def test_definitions_with_any_value_anywhere(data: st.DataObject) -> None:
    obj = copy.deepcopy(data.draw(st.sampled_from(DEFINITIONS)))
    fields = st.sampled_from(sorted(_names(DEFINITION, set())))
    for _ in range(data.draw(st.integers(1, 3))):
        here: Any = obj["spec"]
        while data.draw(st.booleans()) and isinstance(here, dict | list) and here:
            below = [here[key] for key in (here if isinstance(here, dict) else range(len(here)))]
            inner = data.draw(st.sampled_from(below))
            if not isinstance(inner, dict | list):
                break
            here = inner
        if isinstance(here, dict):
            here[data.draw(fields)] = data.draw(values)
        elif here:
            here[data.draw(st.integers(0, len(here) - 1))] = data.draw(values)
    check(obj)


@settings(max_examples=drawn(150), deadline=None)
@given(schemas, values)
def test_any_value_of_a_schema_that_is_fine(schema: Any, value: Any) -> None:
    root = {"type": "object", "properties": {"spec": schema}}
    if not any(finding.type or finding.code == "VG511" for finding in check(definition(root))):
        assert find_unsupported(read_schema(root)) is None
        obj = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": value, "spec": value}
        scheme = scheme_of(root)
        scheme.admit(obj)
        scheme.admit(obj, {**obj, "metadata": {"name": "a"}})
