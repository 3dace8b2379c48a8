package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Greenhouse has a short name and few finalizers.
//
// +kubebuilder:object:root=true
type Greenhouse struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:subfield(name)=+k8s:format=k8s-short-name
	// +k8s:subfield(finalizers)=+k8s:maxItems=3
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GreenhouseSpec `json:"spec,omitempty"`
}

// Either the panes are counted, or their area is known.
//
// +kubebuilder:validation:AtLeastOneOf=panes;area
type GreenhouseSpec struct {
	// +k8s:optional
	// +k8s:minimum=42
	Panes *int32 `json:"panes,omitempty"`

	// +k8s:optional
	// +k8s:unionMember
	Area *string `json:"area,omitempty"`

	// +k8s:optional
	// +k8s:unionMember
	Model *string `json:"model,omitempty"`

	Rooms []Room `json:"rooms,omitempty"`
}

// A Room can have rooms in it, which no structural schema can say to the end.
type Room struct {
	Name  string `json:"name"`
	Rooms []Room `json:"rooms,omitempty"`
}
