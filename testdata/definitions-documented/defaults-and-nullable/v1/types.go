package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Fence has a colour even when nobody has thought of one.
//
// +kubebuilder:object:root=true
type Fence struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FenceSpec `json:"spec,omitempty"`
}

type FenceSpec struct {
	// +kubebuilder:default=green
	Colour *string `json:"colour,omitempty"`

	// +kubebuilder:validation:Minimum=1
	// +default=3
	Rails int32 `json:"rails"`

	// Null is a value of its own.
	// +nullable
	Gate *string `json:"gate,omitempty"`

	Label *string `json:"label,omitempty"`

	// +kubebuilder:default={north,south}
	// +listType=set
	Sides []string `json:"sides,omitempty"`

	// +kubebuilder:default={wood: oak}
	Materials map[string]string `json:"materials,omitempty"`

	// An empty lock, in which the code is filled in.
	// +kubebuilder:default={}
	Lock *Lock `json:"lock,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="!has(self.code) || self.code != '1234'",message="everybody knows this code"
type Lock struct {
	// +kubebuilder:validation:MaxLength=8
	// +kubebuilder:default="0000"
	Code string `json:"code,omitempty"`
}
