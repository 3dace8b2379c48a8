"""Samples of tags about the members of a struct: which are set together, and rules from outside."""

from __future__ import annotations

from validation_gen.uses.explain.samples.base import Refusal, of_field

_DRIVES = '{"wheeled": "4x4", "legged": "6"}'

REFUSALS = {
    "k8s:dependentForbidden": Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:dependentForbidden("certificate")
    Token *string `json:"token,omitempty"`
    // +k8s:optional
    Certificate *string `json:"certificate,omitempty"`
}
""",
        '{"token": "t", "certificate": "c"}',
    ),
    "k8s:dependentRequired": Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:dependentRequired("certificate")
    Key *string `json:"key,omitempty"`
    // +k8s:optional
    Certificate *string `json:"certificate,omitempty"`
}
""",
        '{"key": "k"}',
    ),
    "k8s:subfield": of_field(
        "+k8s:subfield(name)=+k8s:format=k8s-short-name",
        'Dock Dock `json:"dock"`',
        '{"dock": {"name": "dock.7"}}',
        more="""
type Dock struct {
    Name string `json:"name"`
}
""",
    ),
    "k8s:unionDiscriminator": Refusal(
        """type Robot struct {
    // +k8s:unionDiscriminator
    Drive string `json:"drive"`
    // +k8s:optional
    // +k8s:unionMember
    Wheeled *string `json:"wheeled,omitempty"`
    // +k8s:optional
    // +k8s:unionMember
    Legged *string `json:"legged,omitempty"`
}
""",
        '{"drive": "Legged", "wheeled": "4x4"}',
    ),
    "k8s:unionMember": Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:unionMember
    Wheeled *string `json:"wheeled,omitempty"`
    // +k8s:optional
    // +k8s:unionMember
    Legged *string `json:"legged,omitempty"`
}
""",
        _DRIVES,
    ),
    "k8s:zeroOrOneOfMember": Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:zeroOrOneOfMember
    Wheeled *string `json:"wheeled,omitempty"`
    // +k8s:optional
    // +k8s:zeroOrOneOfMember
    Legged *string `json:"legged,omitempty"`
}
""",
        _DRIVES,
    ),
}
