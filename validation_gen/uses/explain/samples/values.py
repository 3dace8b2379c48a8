"""Samples of tags about single values: limits, texts, enums, presence."""

from __future__ import annotations

from validation_gen.uses.explain.samples.base import of_field

REFUSALS = {
    "k8s:enum": of_field(
        "mode is how the robot drives.",
        'Mode Mode `json:"mode"`',
        '{"mode": "Fast"}',
        more="""
// +k8s:enum
type Mode string

const (
    Careful Mode = "Careful"
    Normal  Mode = "Normal"
)
""",
    ),
    "k8s:enumExclude": of_field(
        "mode is how the robot drives.",
        'Mode Mode `json:"mode"`',
        '{"mode": "Normal"}',
        more="""
// +k8s:enum
type Mode string

const (
    Careful Mode = "Careful"
    // +k8s:enumExclude
    Normal Mode = "Normal"
)
""",
    ),
    "k8s:forbidden": of_field("+k8s:forbidden", 'Wings *int32 `json:"wings,omitempty"`', '{"wings": 2}'),
    "k8s:format": of_field("+k8s:format=k8s-short-name", 'Dock string `json:"dock"`', '{"dock": "dock.7"}'),
    "k8s:maxBytes": of_field("+k8s:maxBytes=4", 'Label string `json:"label"`', '{"label": "größer"}'),
    "k8s:maxItems": of_field("+k8s:maxItems=2", 'Tools []string `json:"tools"`', '{"tools": ["saw", "drill", "saw"]}'),
    "k8s:maxLength": of_field("+k8s:maxLength=4", 'Label string `json:"label"`', '{"label": "larger"}'),
    "k8s:maxProperties": of_field(
        "+k8s:maxProperties=1", 'Marks map[string]string `json:"marks"`', '{"marks": {"a": "1", "b": "2"}}'
    ),
    "k8s:maximum": of_field("+k8s:maximum=100", 'Charge int32 `json:"charge"`', '{"charge": 101}'),
    "k8s:minItems": of_field("+k8s:minItems=1", 'Tools []string `json:"tools"`', '{"tools": []}'),
    "k8s:minLength": of_field("+k8s:minLength=3", 'Label string `json:"label"`', '{"label": "ab"}'),
    "k8s:minProperties": of_field("+k8s:minProperties=1", 'Marks map[string]string `json:"marks"`', '{"marks": {}}'),
    "k8s:minimum": of_field("+k8s:minimum=1", 'Wheels int32 `json:"wheels"`', '{"wheels": -4}'),
    "k8s:neq": of_field('+k8s:neq="default"', 'Pool string `json:"pool"`', '{"pool": "default"}'),
    "k8s:optional": of_field('+default="Normal"\n+k8s:optional', 'Mode string `json:"mode,omitempty"`', "{}"),
    "k8s:required": of_field("+k8s:required", 'Model string `json:"model"`', '{"model": ""}'),
    "k8s:validateFalse": of_field('+k8s:validateFalse="here"', 'Model string `json:"model"`', '{"model": "HX"}'),
}
