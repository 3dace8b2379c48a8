package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Object follows its package.
type Object struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`
}

// Own does not: a type's tags count more than its package's.
// +k8s:supportsSubresource="/log"
type Own struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`
}
