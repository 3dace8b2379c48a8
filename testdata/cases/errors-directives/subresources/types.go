// Package subresources has types whose subresources make no sense.
package subresources

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Two is two subresources.
// +k8s:isSubresource="/a"
// +k8s:isSubresource="/b"
// want-above VG104 `type "example.com/cases/errors-directives/subresources.Two" contains more than one usage of "k8s:isSubresource" (a type is the body of one subresource)`
type Two struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:required
	Name string `json:"name"`
}

// Bare has paths without a slash, and without quotes.
// +k8s:isSubresource=scale
// want-above VG104 `+k8s:isSubresource wants the path of a subresource (write +k8s:isSubresource="/status")`
// +k8s:supportsSubresource=/status
// want-above VG102 `failed to parse tag: unexpected character '/'`
// +k8s:supportsSubresource
// want-above VG104 `+k8s:supportsSubresource wants the path of a subresource`
type Bare struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:required
	Name string `json:"name"`
}
