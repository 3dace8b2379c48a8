"""Samples of tags about changes."""

from __future__ import annotations

from validation_gen.uses.explain.samples.base import of_field

REFUSALS = {
    "k8s:immutable": of_field(
        "+k8s:immutable", 'Serial string `json:"serial"`', '{"serial": "B2"}', old='{"serial": "A1"}'
    ),
    "k8s:monotonic": of_field("+k8s:monotonic", 'Hours int64 `json:"hours"`', '{"hours": 9}', old='{"hours": 10}'),
    "k8s:update": of_field("+k8s:update=NoUnset", 'Dock string `json:"dock,omitempty"`', "{}", old='{"dock": "north"}'),
}
