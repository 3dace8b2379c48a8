"""Codes about the markers that describe schemas and resources."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

#: Command that generates schemas, for which markers are read.
COMMAND = "validation-gen crd generate v1"

_KIND = """
// +groupName=robots.example.com

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
{above}
type Robot struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
{inside}}}
"""


def _field(marker: str, declared: str = "Name string", json: str = "name") -> Sample:
    field = f'\n\t// {marker}\n\t// +optional\n\t{declared} `json:"{json}"`\n'
    return Sample(_KIND.format(above="", inside=field), command=COMMAND)


def _resource(marker: str) -> Sample:
    return Sample(_KIND.format(above=f"\n// {marker}", inside=""), command=COMMAND)


EXPLANATIONS = {
    "VG520": Explanation(
        "A marker is one line of the form +name, +name=value or +name:argument=value,argument=value. Where it cannot "
        "be read, nobody can tell what is meant. A line with more behind the name is a warning, as controller-gen "
        "passes it over.",
        _field("+kubebuilder:validation:Pattern=^a;b$"),
        _field("+kubebuilder:validation:Pattern=`^a;b$`"),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG521": Explanation(
        "A misspelt marker says nothing, and controller-gen passes it over in silence. So it is with `+Marker:value`: "
        "without an equals sign the whole line is the name.",
        _field("+kubebuilder:validation:MaxLenght=63"),
        _field("+kubebuilder:validation:MaxLength=63"),
        (Severity.WARNING,),
    ),
    "VG522": Explanation(
        "Each marker is read above types, above fields or for a whole package. In any other place it has no effect: "
        "behind a field on its line, above a function, above another name for a type.",
        _field("+kubebuilder:storageversion"),
        _resource("+kubebuilder:storageversion"),
        (Severity.WARNING,),
    ),
    "VG523": Explanation(
        "A marker has the arguments that its declaration lists. One that is unknown would have no effect, and without "
        "one that is required there is nothing to say. A word before the equals sign of a marker with one value is a "
        "warning, as controller-gen ignores it.",
        _resource("+kubebuilder:resource:plural=robots"),
        _resource("+kubebuilder:resource:path=robots"),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG524": Explanation(
        "The API server would refuse the schema, or the resource, with such a value; or no object could ever be valid. "
        "A value that means something else than it looks like is a warning.",
        _field("+kubebuilder:default=5"),
        _field('+kubebuilder:default="5"'),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG525": Explanation(
        "A limit on strings says nothing of a list, so the marker would have no effect. What is meant for the items of "
        "a list has a marker of its own.",
        _field("+kubebuilder:validation:MaxLength=63", "Names []string", "names"),
        _field("+kubebuilder:validation:items:MaxLength=63", "Names []string", "names"),
    ),
    "VG526": Explanation(
        "Of markers that say different things of one place, only one counts, and readers take the wrong one for true. "
        "Limits that leave no value are an error.",
        _field("+kubebuilder:validation:Required"),
        _field("+kubebuilder:validation:Optional"),
        (Severity.WARNING, Severity.ERROR),
    ),
}
