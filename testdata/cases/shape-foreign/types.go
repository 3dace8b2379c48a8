package foreign

import (
	"example.com/elsewhere/paint"
	corev1 "example.com/elsewhere/core/v1"
)

// Wall has fields of unknown types: any value is accepted for them. Tags for the field itself still count.
type Wall struct {
	// +k8s:opaqueType
	Colour paint.Colour `json:"colour"`

	// +k8s:opaqueType
	// +k8s:required
	Primer *paint.Colour `json:"primer"`

	// +k8s:eachVal=+k8s:opaqueType
	// +k8s:maxItems=2
	Layers []paint.Colour `json:"layers,omitempty"`

	// +k8s:opaqueType
	// +k8s:immutable
	Base paint.Colour `json:"base"`

	// Without the tag there is a warning, once for every type.
	Pod  corev1.PodSpec  `json:"pod"`
	Pods []corev1.PodSpec `json:"pods,omitempty"`

	Node map[string]*corev1.NodeSpec `json:"node,omitempty"`
}
