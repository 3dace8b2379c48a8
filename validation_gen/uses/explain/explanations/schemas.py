"""Codes about rules that schemas cannot express, and about schemas that an API server would refuse."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_CRD = "validation-gen crd v1"
GROUP = {"v1/doc.go": "// +groupName=fleet.example.com\npackage v1\n"}
_KIND = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RobotSpec `json:"spec"`
}}

type RobotSpec struct {{
{fields}}}
"""


def sample(fields: str, command: str = _CRD) -> Sample:
    lines = (f"\t{line}\n" if line else "\n" for line in fields.strip("\n").split("\n"))
    return Sample(_KIND.format(fields="".join(lines)), GROUP, command)


_FANCY = """
// +k8s:optional
// +k8s:ifEnabled(FancyWheels)=+k8s:maximum=8
Wheels *int32 `json:"wheels,omitempty"`
"""

_STORED = """
// +kubebuilder:resource:path=robots
type {kind} struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}}
"""
_BARE = """
type Duck struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
"""
_MARKED = """
type Robot struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:{marker}
	Name string `json:"name"`
}}
"""
IMPORT = '\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n'

EXPLANATIONS = {
    "VG540": Explanation(
        "Schemas and CEL cannot say everything. Bytes are one text in JSON, so that nothing can be counted; a function "
        "in Go has no schema at all. The definition is written without the rule, and accepts what only validators "
        "refuse.",
        sample("""
// +k8s:optional
// +k8s:maxItems=16
Key []byte `json:"key,omitempty"`
"""),
        sample("""
// +k8s:optional
// +k8s:maxBytes=16
Key string `json:"key,omitempty"`
"""),
        (Severity.WARNING,),
    ),
    "VG541": Explanation(
        "An API server estimates what a rule in CEL costs for the largest object that the schema admits, and refuses "
        "definitions that could cost too much. Without a limit on a list or text, that is a lot. The definition is "
        "written without the rule, or with a form of it that does not look at the old object and so judges again what "
        "an update leaves as it was; the finding says which. With limits there is room for the rule.",
        sample("""
// +k8s:optional
// +k8s:listType=atomic
// +k8s:unique=set
Names []string `json:"names,omitempty"`
"""),
        sample("""
// +k8s:optional
// +k8s:listType=atomic
// +k8s:unique=set
// +k8s:maxItems=64
// +k8s:eachVal=+k8s:maxLength=63
Names []string `json:"names,omitempty"`
"""),
        (Severity.WARNING,),
    ),
    "VG542": Explanation(
        "A rule that somebody has written in CEL becomes part of the schema as it is. The API server refuses the whole "
        "definition when the rule has a mistake, or could cost too much.",
        sample("""
// +kubebuilder:validation:XValidation:rule="self.startsWith(1)"
Name string `json:"name"`
"""),
        sample("""
// +kubebuilder:validation:XValidation:rule="self.startsWith('robot-')"
Name string `json:"name"`
"""),
    ),
    "VG543": Explanation(
        "Custom resources are in a group of their own, with a name that looks like a domain. The core group and groups "
        "without a dot belong to Kubernetes.",
        Sample(
            _KIND.format(fields='\tName string `json:"name"`\n'),
            {"v1/doc.go": "// +groupName=fleet\npackage v1\n"},
            _CRD,
        ),
        sample('Name string `json:"name"`'),
        (Severity.WARNING,),
    ),
    "VG544": Explanation(
        "An API server refuses a definition with a default that its own schema refuses. The definition is written "
        "without the default.",
        sample("""
// +default="a"
// +k8s:minLength=3
Name string `json:"name,omitempty"`
"""),
        sample("""
// +default="robot"
// +k8s:minLength=3
Name string `json:"name,omitempty"`
"""),
        (Severity.WARNING,),
    ),
    "VG548": Explanation(
        "An option that no rule depends on changes nothing. Its name is probably misspelt, and the one that was meant "
        "is off.",
        sample(_FANCY, f"{_CRD} --option Fancy=true"),
        sample(_FANCY, f"{_CRD} --option FancyWheels=true"),
        (Severity.WARNING,),
    ),
    "VG549": Explanation(
        "A definition has one kind, one scope and one storage version, and each version once. Where declarations say "
        "different things, an API server would refuse what they say together.",
        Sample(IMPORT + _STORED.format(kind="Robot") + _STORED.format(kind="Robots"), GROUP, _CRD),
        Sample(IMPORT + _STORED.format(kind="Robot"), GROUP, _CRD),
    ),
    "VG550": Explanation(
        "The definition is made, and then judged as by `validation-gen crd check`. What an API server has against "
        "it comes from markers in most cases, which are written as they are. The path leads into the definition.",
        sample("""
// +kubebuilder:validation:UniqueItems=true
// +k8s:optional
Arms []string `json:"arms,omitempty"`
"""),
        sample("""
// +k8s:listType=set
// +k8s:optional
Arms []string `json:"arms,omitempty"`
"""),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG551": Explanation(
        "A struct with `TypeMeta` and `ObjectMeta` is a kind. Where markers such as `+kubebuilder:object:root=true` "
        "name other kinds, one without any may be there for Go code alone, and its definition is one too many.",
        Sample(IMPORT + _STORED.format(kind="Robot") + _BARE, GROUP, _CRD),
        Sample(IMPORT + _STORED.format(kind="Robot") + f"\n// +kubebuilder:skipversion{_BARE}", GROUP, _CRD),
        (Severity.WARNING,),
    ),
    "VG552": Explanation(
        "`validation-gen migrate` rewrites a marker only if it is proved that the definition and the verdicts stay the "
        "same. Where there is no such tag, or no proof, the marker stays and goes on to be a rule of the schema.",
        Sample(IMPORT + _MARKED.format(marker="Pattern=`^[a-z]+$`"), GROUP, "validation-gen migrate v1"),
        Sample(IMPORT + _MARKED.format(marker="MaxLength=63"), GROUP, "validation-gen migrate v1"),
        (Severity.INFO,),
    ),
}
