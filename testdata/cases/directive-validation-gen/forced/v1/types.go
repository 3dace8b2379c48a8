package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// In is chosen by the comment right above it.
// +k8s:validation-gen=true
type In struct {
	// +k8s:required
	Name string `json:"name"`
}

// +k8s:validation-gen=true

// InAbove is chosen by the block above its comment.
type InAbove struct {
	// +k8s:required
	Name string `json:"name"`
}

// +k8s:validation-gen=true


// TooFar is not chosen: two empty lines are one too many.
type TooFar struct {
	// +k8s:required
	Name string `json:"name"`
}

// Out would have been chosen.
// +k8s:validation-gen=false
type Out struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`
}

// InList is chosen although it is a list of objects.
// +k8s:validation-gen=true
type InList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	// +k8s:required
	Items []In `json:"items"`
}
