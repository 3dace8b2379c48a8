package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Tree is shown with its height and its age.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=trees,singular=tree,scope=Cluster
// +kubebuilder:printcolumn:name="Species",type=string,JSONPath=`.spec.species`,description="What sort of tree it is"
// +kubebuilder:printcolumn:name="Height",type=number,format=float,JSONPath=`.spec.height`
// +kubebuilder:printcolumn:name="Rings",type=integer,format=int32,JSONPath=`.spec.rings`,priority=1
// +kubebuilder:printcolumn:name="Felled",type=boolean,JSONPath=`.spec.felled`,priority=2
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Tree struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TreeSpec `json:"spec,omitempty"`
}

type TreeSpec struct {
	Species string  `json:"species,omitempty"`
	Height  float64 `json:"height,omitempty"`
	Rings   int32   `json:"rings,omitempty"`
	Felled  bool    `json:"felled,omitempty"`
}
