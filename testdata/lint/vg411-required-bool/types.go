package robots

type Switch bool

type Settings struct {
	Fast bool `json:"fast"`
}

type Bad struct {
	// +k8s:required # // want VG411 "a required boolean must be true, because false counts as unset (make the field a *bool, or drop the tag and take false for absent)"
	Enabled bool `json:"enabled"`

	// +k8s:beta=+k8s:required # // want VG411 "must be true"
	Switch Switch `json:"switch"`

	// +k8s:subfield(fast)=+k8s:required # // want VG411 "must be true"
	Settings Settings `json:"settings"`
}

type Good struct {
	// +k8s:required
	Enabled *bool `json:"enabled"`

	// +k8s:optional
	Fast bool `json:"fast,omitempty"`
}
