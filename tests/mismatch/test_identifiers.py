"""Validation identifiers, the labels of the metrics."""

from __future__ import annotations

from tests.tables import each
from validation_gen.mismatch.series import validation_identifier


@each(
    ("kind", "subresource", "update", "identifier"),
    [
        ("Widget", "/", False, "widget_create"),
        ("Widget", "", True, "widget_update"),
        ("ReplicationController", "/scale", True, "replicationcontroller_scale_update"),
        ("Pod", "/a/b", False, "pod_a_b_create"),
        ("", "/", False, "unknown_resource_create"),
        ("", "/status", True, "unknown_resource_status_update"),
    ],
)
def test_an_identifier_is_the_kind_the_subresource_and_the_operation(
    kind: str, subresource: str, update: bool, identifier: str
) -> None:
    assert validation_identifier(kind, subresource, update=update) == identifier
