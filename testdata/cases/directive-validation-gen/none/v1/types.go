package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Object can name its kind.
type Object struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`
}

// ObjectList is no root, although it has a TypeMeta, because it has a ListMeta too.
type ObjectList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Object `json:"items"`
}

// ThingSpec is chosen by the end of its name.
type ThingSpec struct {
	Reached Reached `json:"reached"`
}

// Plain is chosen only where everything is.
type Plain struct {
	// +k8s:required
	Name string `json:"name"`
}

// Reached takes part where a type does that mentions it.
type Reached struct {
	// +k8s:required
	Name string `json:"name"`
}

type hidden struct {
	// +k8s:required
	Name string `json:"name"`
}
