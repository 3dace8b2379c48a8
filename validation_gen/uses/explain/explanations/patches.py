"""Codes about manifests that people maintain and into which schemas are put."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_COMMAND = "validation-gen crd generate v1 --patch-schemas crds"

_KINDS = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RobotSpec `json:"spec"`
}

type RobotSpec struct {
	// +k8s:maximum=8
	Arms int32 `json:"arms"`
}
"""
_GROUP = "// +groupName=example.com\npackage v1\n"


def _sample(versions: str) -> Sample:
    manifest = (
        "apiVersion: apiextensions.k8s.io/v1\n"
        "kind: CustomResourceDefinition\n"
        "metadata:\n"
        "  name: robots.example.com\n"
        "spec:\n"
        "  group: example.com\n"
        "  names: {kind: Robot, plural: robots}\n"
        "  scope: Namespaced\n"
        f"  versions:\n{versions}"
    )
    return Sample(_KINDS, {"v1/doc.go": _GROUP, "crds/robots.yaml": manifest}, _COMMAND)


_V1 = "  - {name: v1, served: true, storage: true}\n"
_V2 = "  - {name: v2, served: true, storage: false}\n"
_SHARED = """\
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: &spec {type: object}
          status: *spec
"""

EXPLANATIONS = {
    "VG545": Explanation(
        "Only the schema is replaced in a manifest that people maintain. Where aliases share it with other places, or "
        "where the manifest is malformed, that cannot be done, and the file stays as it is.",
        _sample(_SHARED),
        _sample(_SHARED.replace("&spec ", "").replace("*spec", "{type: object}")),
    ),
    "VG546": Explanation(
        "The manifest serves a version for which there are no types. Its schema is kept, and may be out of date.",
        _sample(_V1 + _V2),
        _sample(_V1),
        (Severity.WARNING,),
    ),
    "VG547": Explanation(
        "There are types for a kind or a version that the manifests do not have, so the cluster will not serve it.",
        _sample("    []\n"),
        _sample(_V1),
        (Severity.WARNING,),
    ),
}
