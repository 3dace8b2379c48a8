package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Hive can be scaled, and is found by its queen.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.frames,statuspath=.status.frames,selectorpath=.status.selector
// +kubebuilder:selectablefield:JSONPath=`.spec.queen`
// +kubebuilder:selectablefield:JSONPath=`.spec.sealed`
type Hive struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   HiveSpec   `json:"spec"`
	Status HiveStatus `json:"status,omitempty"`
}

type HiveSpec struct {
	// +kubebuilder:validation:Minimum=0
	Frames *int32 `json:"frames,omitempty"`
	Queen  string `json:"queen,omitempty"`
	Sealed bool   `json:"sealed,omitempty"`
}

type HiveStatus struct {
	Frames   int32  `json:"frames,omitempty"`
	Selector string `json:"selector,omitempty"`

	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
