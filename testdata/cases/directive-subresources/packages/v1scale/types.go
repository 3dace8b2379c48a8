package v1scale

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Object is validated for requests to the subresource only.
type Object struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`
}
