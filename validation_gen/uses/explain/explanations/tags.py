"""Codes about the text of sources and tags."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import COMMAND, Explanation, Sample

_TOO_NEW = """
type Robot struct {
	// +k8s:optional
	// +k8s:maxProperties=16
	Labels map[string]string `json:"labels,omitempty"`
}
"""

_ROBOT = """
type Robot struct {
	// +k8s:required
	Name string `json:"name"`
}
"""

EXPLANATIONS = {
    "VG101": Explanation(
        "What cannot be parsed cannot be validated, and Go compiles no two types or "
        "fields of one name. A type in "
        "which the error stands is left out, and so are those that use it.",
        Sample("""
type Robot struct {
	// +k8s:required
	Name string `json:"name"`
"""),
        Sample(_ROBOT),
    ),
    "VG102": Explanation(
        "A tag is one line of the form +name(arguments)=value. Where it ends early or has blanks in between, nobody "
        "can tell what is meant.",
        Sample("""
type Robot struct {
	// +k8s:required
	// +k8s:maxLength = 63
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
    "VG103": Explanation(
        "A misspelt tag is a rule that silently does nothing, so a name near that of a tag is an error, as is a "
        "blank or a second plus sign in front of it. Behind another tag every unknown name is an error, because that "
        "tag has nothing to apply. Other unknown names are warnings: they may be meant for another program.",
        Sample("""
type Robot struct {
	// +k8s:required
	// +k8s:maxLenght=63
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
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG104": Explanation(
        "A directive decides which packages, types and requests take part. One that is not understood would leave "
        "types without validation, and nobody would notice.",
        Sample(
            _ROBOT,
            {"v1/doc.go": "// +k8s:validation-gen=TypesWithPrefix=Robot\npackage v1\n"},
        ),
        Sample(
            _ROBOT,
            {"v1/doc.go": "// +k8s:validation-gen=TypesWithSuffix=Robot\npackage v1\n"},
        ),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG105": Explanation(
        "Kubernetes ignores a tag that it does not know, so a rule that is newer than the release would not be "
        "enforced there. A name that the release has given up is understood, with a warning.",
        Sample(_TOO_NEW, command=f"{COMMAND} --target 1.36"),
        Sample(_TOO_NEW, command=f"{COMMAND} --target 1.37"),
        (Severity.ERROR, Severity.WARNING),
    ),
}
