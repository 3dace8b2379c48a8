"""Codes about tags that are well-formed but meaningless at their location."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import COMMAND, Explanation, Sample

_CHECK = """\
from validation_gen.runtime.errors import ErrorType, FieldError


def ValidateCustom_Robot_Hours(value, old, op):
    if len(value) % 2:
        return [FieldError(ErrorType.INVALID, value, "it opens once more than it closes")]
    return []
"""

_HOURS = """
type Robot struct {
	// +k8s:optional
	// +k8s:customValidation
	Hours []string `json:"hours,omitempty"`
}
"""

EXPLANATIONS = {
    "VG201": Explanation(
        "A tag speaks of a type, a field, an item, a key or a constant, and not every tag can speak of each of them.",
        Sample("""
// +k8s:required
type Name string

type Robot struct {
	// +k8s:required
	Name Name `json:"name"`
}
"""),
        Sample("""
type Name string

type Robot struct {
	// +k8s:required
	Name Name `json:"name"`
}
"""),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG202": Explanation(
        "The arguments of a tag stand in parentheses. One is missing, is of the wrong type, has a name that the tag "
        "does not know, or names something that does not exist.",
        Sample("""
type Meta struct {
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:subfield(nmae)=+k8s:maxLength=63
	Meta Meta `json:"meta"`
}
"""),
        Sample("""
type Meta struct {
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:subfield(name)=+k8s:maxLength=63
	Meta Meta `json:"meta"`
}
"""),
    ),
    "VG203": Explanation(
        "The payload of a tag stands behind its equals sign. It is missing, is of the wrong type, or is a value that "
        "the tag does not have.",
        Sample("""
type Robot struct {
	// +k8s:optional
	// +k8s:maxItems=four
	Arms []string `json:"arms,omitempty"`
}
"""),
        Sample("""
type Robot struct {
	// +k8s:optional
	// +k8s:maxItems=4
	Arms []string `json:"arms,omitempty"`
}
"""),
    ),
    "VG204": Explanation(
        "A rule for lists says nothing about a string. The type of the field decides, not its value.",
        Sample("""
type Robot struct {
	// +k8s:required
	// +k8s:maxItems=63
	Name string `json:"name"`
}
"""),
        Sample("""
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`
}
"""),
    ),
    "VG205": Explanation(
        "Some tags are one statement together: a list that is a map needs its key, a mode needs its discriminator. "
        "Half of it, or two that exclude each other, cannot be checked.",
        Sample("""
type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
	// +k8s:listType=map
	Arms []Arm `json:"arms,omitempty"`
}
"""),
        Sample("""
type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Arms []Arm `json:"arms,omitempty"`
}
"""),
    ),
    "VG206": Explanation(
        "`+k8s:customValidation` calls a Python function whose name follows from the type and the field. Without it "
        "part of the validation would be missing. A function that no tag calls is a warning.",
        Sample(_HOURS),
        Sample(_HOURS, {"checks.py": _CHECK}, f"{COMMAND} --custom-validations checks.py"),
        (Severity.ERROR, Severity.WARNING),
    ),
}
