package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// EDIT THIS FILE! It holds the API of robots.

// RobotSpec defines the desired state of Robot.
// +kubebuilder:validation:XValidation:rule="!has(self.arms) || self.arms > 0",message="arms must be positive"
type RobotSpec struct {
	// Name is what people call it.
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`

	// Serial is its number, such as A-1.
	// +kubebuilder:validation:Pattern=`^[A-Z]-[0-9]+$`
	// +kubebuilder:validation:MaxLength=20
	Serial string `json:"serial"`

	// Arms is the number of its arms.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=8
	// +kubebuilder:default=2
	// +optional
	Arms *int32 `json:"arms,omitempty"`

	// Legs is the number of its legs.
	//+kubebuilder:validation:Minimum=0
	//+optional
	Legs int32 `json:"legs,omitempty"`

	// Gears must be above zero, if given.
	// +kubebuilder:validation:Minimum=1
	// +optional
	Gears int32 `json:"gears,omitempty"`

	// Mode says how it works.
	Mode Mode `json:"mode"`

	// Tools are in its hands.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	// +optional
	Tools []Tool `json:"tools,omitempty"`

	// Colors are painted on it.
	// +listType=set
	// +kubebuilder:validation:items:MaxLength=20
	// +kubebuilder:validation:items:Pattern=`^[a-z]+$`
	// +optional
	Colors []string `json:"colors,omitempty"`

	// Labels tell it from others.
	// +kubebuilder:validation:MaxProperties=8
	// +optional
	Labels map[string]string `json:"labels,omitempty"`

	// Owner is unknown to tags.
	// +optional
	Owner string `json:"owner,omitempty"`
}

// Mode is a way to work.
// +kubebuilder:validation:Enum=Busy;Idle
type Mode string

const (
	// Idle is doing nothing.
	Idle Mode = "Idle"
	// Busy is doing something.
	Busy Mode = "Busy"
)

// Word is a short text.
// +kubebuilder:validation:MaxLength=12
type Word string

// Tool is held in a hand.
type Tool struct {
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
	// +required
	// +kubebuilder:validation:MinLength=2
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
