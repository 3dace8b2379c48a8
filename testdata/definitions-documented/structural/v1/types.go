package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Sprinkler waters a bed at certain times.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=sp;spr,categories=all;garden
type Sprinkler struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SprinklerSpec `json:"spec,omitempty"`
}

type SprinklerSpec struct {
	// When to water, as cron has it.
	// +kubebuilder:validation:Pattern=`^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$`
	Schedule string `json:"schedule,omitempty"`

	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=10
	Nozzles int32 `json:"nozzles,omitempty"`

	// How long each bed is watered, in minutes.
	Beds map[string]int64 `json:"beds,omitempty"`

	Notes []string `json:"notes,omitempty"`
}
