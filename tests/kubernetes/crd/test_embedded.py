"""Objects within objects: their metadata are decoded as those of any object, and what is not known there is dropped."""

from __future__ import annotations

from typing import Any

from tests.tables import each
from validation_gen.kubernetes.crd.resource import check_embedded
from validation_gen.kubernetes.crd.schema import read_schema

SCHEMA = read_schema({"type": "object", "x-kubernetes-embedded-resource": True})


@each(
    ("metadata", "places"),
    [
        ({"name": "a", "foo": 1}, []),
        ({"foo": 1}, []),
        ({"name": 5}, ["metadata"]),
        ({"foo": 1, "name": 5}, ["metadata"]),
        ({"labels": {"a": 1}}, ["metadata"]),
        (None, []),
    ],
)
def test_metadata(metadata: Any, places: list[str]) -> None:
    obj = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}
    assert [error.field.lstrip(".") for error in check_embedded(obj, SCHEMA)] == places


def test_what_does_not_decode_is_shown_in_order() -> None:
    """The server writes metadata before it reads them, so that the first of the names in order is told."""
    obj = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 5, "labels": []}}
    told = 'metadata: Invalid value: {"labels":[],"name":5}: '
    told += "json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string"
    assert [str(error).lstrip(".") for error in check_embedded(obj, SCHEMA)] == [told]
