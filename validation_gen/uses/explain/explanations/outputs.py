"""Codes about generated files on disk, which `check`, `--check` and `--diff` compare with the sources."""

from __future__ import annotations

from validation_gen.emit.output import MARKER
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_LAMP = """
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
}
"""
_GENERATE = "validation-gen crd v1 --max-description 0"
_COMMAND = f"{_GENERATE} --check"
_WRITTEN = {"v1/lamp.go": _LAMP.lstrip()}
_MANIFEST = "crds/example.com_lamps.yaml"
_DEFINITION = f"""\
---
{MARKER}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: lamps.example.com
spec:
  group: example.com
  names:
    kind: Lamp
    listKind: LampList
    plural: lamps
    singular: lamp
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
        required:
        - metadata
        type: object
    served: true
    storage: true
"""

EXPLANATIONS = {
    "VG801": Explanation(
        "A build that takes generated files from the repository would go without this one.",
        Sample(files=_WRITTEN, command=_COMMAND),
        Sample(files=_WRITTEN, command=_GENERATE),
    ),
    "VG802": Explanation(
        "The file was generated from other sources, by another release or with other options, or somebody has changed "
        "it. What it says no longer holds.",
        Sample(files={**_WRITTEN, _MANIFEST: _DEFINITION.replace("Namespaced", "Cluster")}, command=_COMMAND),
        Sample(files={**_WRITTEN, _MANIFEST: _DEFINITION}, command=_COMMAND),
    ),
    "VG803": Explanation(
        "The type for which the file was generated is gone, and the file still takes part. Only files that begin with "
        "the marker line of this tool can be extra.",
        Sample(
            files={**_WRITTEN, _MANIFEST: _DEFINITION, "crds/example.com_ropes.yaml": f"{MARKER}\n"}, command=_COMMAND
        ),
        Sample(
            files={**_WRITTEN, _MANIFEST: _DEFINITION, "crds/example.com_ropes.yaml": f"{MARKER}\n"}, command=_GENERATE
        ),
    ),
}
