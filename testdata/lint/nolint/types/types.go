package types

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:validation-gen-nolint // Note: for as long as the API is young.
type Silent struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Enabled bool  `json:"enabled"`
	Below   Below `json:"below"`
	Both    Both  `json:"both"`
}

// Below is reached through Silent only.
type Below struct {
	// +k8s:required
	Enabled bool `json:"enabled"`
}

type Loud struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required # // want VG411 "must be true"
	Enabled bool `json:"enabled"`
	Both    Both `json:"both"`
}

type Both struct {
	// +k8s:required # // want VG411 "must be true"
	Enabled bool `json:"enabled"`
}

// Unused is validated by nobody.
type Unused struct {
	// +k8s:required
	Enabled bool `json:"enabled"`
}

// LoudList is never part of a request, so nothing is demanded of its items.
type LoudList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Loud `json:"items"`
}
