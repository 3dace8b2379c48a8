package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Cutting holds another object, of which a new one is grown.
//
// +kubebuilder:object:root=true
type Cutting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// A whole object of any kind.
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Plant runtime.RawExtension `json:"plant,omitempty"`

	// An object of which only the size is kept.
	// +kubebuilder:validation:EmbeddedResource
	Pot *Pot `json:"pot,omitempty"`

	// Objects of any kinds.
	// +kubebuilder:validation:items:XEmbeddedResource
	// +kubebuilder:validation:items:XPreserveUnknownFields
	// +listType=atomic
	Others []runtime.RawExtension `json:"others,omitempty"`
}

type Pot struct {
	Spec PotSpec `json:"spec,omitempty"`
}

type PotSpec struct {
	Size int32 `json:"size,omitempty"`
}
