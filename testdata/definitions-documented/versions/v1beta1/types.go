package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Bench stands in the garden.
//
// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion
type Bench struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BenchSpec `json:"spec,omitempty"`
}

type BenchSpec struct {
	Place string `json:"place,omitempty"`
	Seats string `json:"seats,omitempty"`
}
