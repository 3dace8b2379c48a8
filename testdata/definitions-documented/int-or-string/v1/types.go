package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A Harvest takes some of the plants.
//
// +kubebuilder:object:root=true
type Harvest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// A number of plants, or a share of them.
	Take *intstr.IntOrString `json:"take,omitempty"`

	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^((100|[0-9]{1,2})%|[0-9]+)$"
	// +kubebuilder:default="10%"
	Leave intstr.IntOrString `json:"leave,omitempty"`

	// +listType=atomic
	Steps []intstr.IntOrString `json:"steps,omitempty"`
}
