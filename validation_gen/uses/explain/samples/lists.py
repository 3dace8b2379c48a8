"""Samples of tags about lists and maps: what is the same in them, and rules for their parts."""

from __future__ import annotations

from validation_gen.uses.explain.samples.base import of_field

_TOOL = """
type Tool struct {
    Name   string `json:"name"`
    Weight int32  `json:"weight"`
}
"""

REFUSALS = {
    "k8s:eachKey": of_field(
        "+k8s:eachKey=+k8s:format=k8s-label-key", 'Marks map[string]string `json:"marks"`', '{"marks": {"/x": "1"}}'
    ),
    "k8s:eachVal": of_field(
        "+k8s:eachVal=+k8s:maxLength=4", 'Tools []string `json:"tools"`', '{"tools": ["saw", "screwdriver"]}'
    ),
    "k8s:item": of_field(
        '+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:item(name: "saw")=+k8s:subfield(weight)=+k8s:minimum=2',
        'Tools []Tool `json:"tools"`',
        '{"tools": [{"name": "saw", "weight": 1}]}',
        more=_TOOL,
    ),
    "k8s:listMapKey": of_field(
        "+k8s:listType=map\n+k8s:listMapKey=name",
        'Tools []Tool `json:"tools"`',
        '{"tools": [{"name": "saw", "weight": 1}, {"name": "saw", "weight": 2}]}',
        more=_TOOL,
    ),
    "k8s:listType": of_field(
        "+k8s:listType=map\n+k8s:listMapKey=name",
        'Tools []Tool `json:"tools"`',
        '{"tools": [{"name": "saw", "weight": 1}, {"name": "saw", "weight": 2}]}',
        more=_TOOL,
    ),
    "k8s:unique": of_field(
        "+k8s:listType=atomic\n+k8s:unique=set", 'Tools []string `json:"tools"`', '{"tools": ["saw", "saw"]}'
    ),
}
