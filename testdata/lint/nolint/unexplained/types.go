package unexplained

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:validation-gen-nolint
// // want-above VG498 "Loud: lint is turned off without a reason"
type Loud struct {
	metav1.TypeMeta `json:",inline"`

	// validation-gen:ignore VG411 silenced twice is no mistake
	// +k8s:required
	Enabled bool `json:"enabled"`

	// +k8s:required
	Other bool `json:"other"`
}

// validation-gen:ignore VG411 stands at nothing
// // want-above VG499 "unused suppression: lint rules check no declaration here"
