"""Samples of tags that put a condition or a level around others, and of those that call handwritten checks."""

from __future__ import annotations

from validation_gen.uses.explain.samples.base import Refusal, of_field

_MODES = """type Robot struct {
    // +k8s:modeDiscriminator
    Mode string `json:"mode"`
    // +k8s:ifMode("Static")=+k8s:required
    Place string `json:"place,omitempty"`
}
"""

REFUSALS = {
    "k8s:alpha": of_field(
        '+k8s:alpha(since: "1.36")=+k8s:maxItems=1', 'Tools []string `json:"tools"`', '{"tools": ["saw", "drill"]}'
    ),
    "k8s:beta": of_field('+k8s:beta(since: "1.36")=+k8s:required', 'Model string `json:"model"`', '{"model": ""}'),
    "k8s:customValidation": Refusal(
        """// +k8s:customValidation
type Robot struct {
    Wheels int32 `json:"wheels"`
}
""",
        '{"wheels": 3}',
        custom="""from validation_gen.runtime.errors import FieldError


def ValidateCustom_Robot(robot, old, op):
    if robot.get("wheels", 0) % 2:
        return [FieldError.invalid("wheels", robot["wheels"], "must be even")]
""",
    ),
    "k8s:ifDisabled": of_field(
        "+k8s:ifDisabled(FancyWheels)=+k8s:forbidden",
        'Wheels *string `json:"wheels,omitempty"`',
        '{"wheels": "fancy"}',
        FancyWheels=False,
    ),
    "k8s:ifEnabled": of_field(
        "+k8s:ifEnabled(FancyWheels)=+k8s:required",
        'Wheels *string `json:"wheels,omitempty"`',
        "{}",
        FancyWheels=True,
    ),
    "k8s:ifMode": Refusal(_MODES, '{"mode": "Static"}'),
    "k8s:modeDiscriminator": Refusal(_MODES, '{"mode": "Roaming", "place": "here"}'),
}
