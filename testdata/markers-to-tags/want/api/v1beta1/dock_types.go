// +groupName=fleet.example.com
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster

// Dock is where robots rest.
type Dock struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:minItems=1
	Bays []Bay `json:"bays"`
}

// Bay is a place for one robot.
type Bay struct {
	// +kubebuilder:validation:ExclusiveMaximum=true
	// +kubebuilder:validation:Maximum=100
	// +k8s:minimum=1
	Number int64 `json:"number"`
	/*
	   +kubebuilder:validation:MaxLength=3
	*/
	Note string `json:"note,omitempty"`
}
