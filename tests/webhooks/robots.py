"""Types whose rules are of all levels, in two versions, and their validators."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validation_gen.commands.typeschemes import add_kinds, lower_kinds
from validation_gen.compiler.pipeline import load_validators, lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.ir import Program
from validation_gen.kubernetes.objects import Scheme
from validation_gen.runtime.registry import Registry

_TYPES = """\
// +k8s:validation-gen=*
// +groupName=example.com
package {version}

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot is a machine.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
// +k8s:supportsSubresource="/status"
type Robot struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RobotSpec   `json:"spec"`
	Status RobotStatus `json:"status,omitempty"`
}}

// RobotSpec is what is wanted.
type RobotSpec struct {{
	// +k8s:optional
	// +k8s:maxLength={most}
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:alpha=+k8s:minimum=2
	// +k8s:beta=+k8s:maximum=8
	// +default=3
	Replicas *int32 `json:"replicas,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Color string `json:"color,omitempty"`

	// +k8s:optional
	// +k8s:ifEnabled(Armed)=+k8s:maxItems=1
	// +listType=atomic
	Arms []Arm `json:"arms,omitempty"`
}}

// Arm is a part.
type Arm struct {{
	// +default="left"
	// +k8s:optional
	Side string `json:"side,omitempty"`
}}

// RobotStatus is what there is.
type RobotStatus struct {{
	// +k8s:optional
	// +k8s:minimum=0
	Replicas int32 `json:"replicas,omitempty"`
}}
"""


@dataclass(frozen=True)
class Robots:
    """The validators of robots, what they were made of, and their definitions."""

    registry: Registry
    program: Program
    scheme: Scheme


@functools.cache
def robots() -> Robots:
    """Robots of `example.com`, whose names may have 5 letters in `v1`, and 9 in `v1beta1`; `v1beta1` is not stored."""
    with tempfile.TemporaryDirectory() as directory:
        for version, most in (("v1", 5), ("v1beta1", 9)):
            file = Path(directory, "apis", version, "types.go")
            file.parent.mkdir(parents=True)
            text = _TYPES.format(version=version, most=most)
            if version == "v1":
                text = text.replace("// +k8s:supports", "// +kubebuilder:storageversion\n// +k8s:supports")
            file.write_text(text, encoding="utf-8")
        Path(directory, "go.mod").write_text("module example.com/robots\n\ngo 1.25\n", encoding="utf-8")
        settings = Settings(paths=(f"{directory}/apis/...",))
        diagnostics = Diagnostics()
        sources = read(settings, diagnostics)
        program = lower(sources, settings, diagnostics)
        registry = load_validators(program)
        scheme = Scheme()
        markers = lower_kinds(sources, settings, diagnostics)
        add_kinds(scheme, markers, registry, diagnostics, options=dict.fromkeys(program.options, False))
    assert not diagnostics.has_errors, diagnostics.sorted()
    return Robots(registry, program, scheme)


def robot(version: str = "v1", **spec: Any) -> dict[str, Any]:
    """A robot as JSON, with the default that a server has filled in before it asks."""
    return {
        "apiVersion": f"example.com/{version}",
        "kind": "Robot",
        "metadata": {"name": "talos", "namespace": "default"},
        "spec": {"replicas": 3, **spec},
    }
