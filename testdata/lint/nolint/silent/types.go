package silent

import "example.com/lint/nolint/shared"

type TypeMeta struct {
	Kind string `json:"kind,omitempty"`
}

type Robot struct {
	TypeMeta `json:",inline"`

	// +k8s:required
	Enabled bool `json:"enabled"`

	// Findings there are told.
	// +k8s:optional
	Arm *shared.Arm `json:"arm,omitempty"`
}
