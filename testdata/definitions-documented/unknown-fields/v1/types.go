package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Seed is described by its breeder in whatever words they like.
//
// +kubebuilder:object:root=true
type Seed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Any value, nothing of which is dropped.
	Anything *apiextensionsv1.JSON `json:"anything,omitempty"`

	// An object with any fields.
	// +kubebuilder:validation:Type=object
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Free Open `json:"free,omitempty"`

	// An object with any fields, of which some are known.
	// +kubebuilder:pruning:PreserveUnknownFields
	Partial *Partial `json:"partial,omitempty"`

	// All that is not named here is dropped.
	Closed Known `json:"closed,omitempty"`
}

type Open struct{}

type Partial struct {
	Known Known `json:"known,omitempty"`
}

type Known struct {
	Colour string `json:"colour,omitempty"`
	Taste  string `json:"taste,omitempty"`
}
