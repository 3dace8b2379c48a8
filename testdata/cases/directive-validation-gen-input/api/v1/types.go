package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Object is a root of the other package.
type Object struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`

	Part Part `json:"part"`
}

// Part is reached from there.
type Part struct {
	// +k8s:minimum=1
	Size int32 `json:"size"`
}

// Alone is no root and not reached.
type Alone struct {
	// +k8s:required
	Name string `json:"name"`
}
