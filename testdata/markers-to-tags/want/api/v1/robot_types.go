package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// EDIT THIS FILE! It holds the API of robots.

// RobotSpec defines the desired state of Robot.
// +kubebuilder:validation:XValidation:rule="!has(self.arms) || self.arms > 0",message="arms must be positive"
type RobotSpec struct {
	// Name is what people call it.
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`

	// Serial is its number, such as A-1.
	// +kubebuilder:validation:Pattern=`^[A-Z]-[0-9]+$`
	// +k8s:maxLength=20
	Serial string `json:"serial"`

	// Arms is the number of its arms.
	// +k8s:minimum=1
	// +k8s:maximum=8
	// +kubebuilder:default=2
	// +k8s:optional
	Arms *int32 `json:"arms,omitempty"`

	// Legs is the number of its legs.
	//+k8s:minimum=0
	//+k8s:optional
	Legs int32 `json:"legs,omitempty"`

	// Gears must be above zero, if given.
	// +kubebuilder:validation:Minimum=1
	// +optional
	Gears int32 `json:"gears,omitempty"`

	// Mode says how it works.
	Mode Mode `json:"mode"`

	// Tools are in its hands.
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=16
	// +k8s:optional
	Tools []Tool `json:"tools,omitempty"`

	// Colors are painted on it.
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=20
	// +kubebuilder:validation:items:Pattern=`^[a-z]+$`
	// +k8s:optional
	Colors []string `json:"colors,omitempty"`

	// Labels tell it from others.
	// +k8s:maxProperties=8
	// +k8s:optional
	Labels map[string]string `json:"labels,omitempty"`

	// Owner is unknown to tags.
	// +optional
	Owner string `json:"owner,omitempty"`
}

// Mode is a way to work.
// +k8s:enum
type Mode string

const (
	// Idle is doing nothing.
	Idle Mode = "Idle"
	// Busy is doing something.
	Busy Mode = "Busy"
)

// Word is a short text.
// +k8s:maxLength=12
type Word string

// Tool is held in a hand.
type Tool struct {
	// +k8s:minLength=1
	Name string `json:"name"`
	// +k8s:required
	// +k8s:minLength=2
	Kind *Word `json:"kind"`
}

// RobotStatus defines the observed state of Robot.
type RobotStatus struct {
	// +kubebuilder:validation:Enum=Good;Bad
	// +optional
	Health string `json:"health,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Mode",type=string,JSONPath=".spec.mode"

// Robot is the Schema for the robots API.
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RobotSpec   `json:"spec"`
	Status RobotStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// RobotList contains a list of Robot.
type RobotList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Robot `json:"items"`
}
