package idle

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:validation-gen-nolint # was needed once
// // want-above VG499 "Quiet: unused suppression: no lint finding here (remove the line, if"
type Quiet struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Name string `json:"name"`
}
