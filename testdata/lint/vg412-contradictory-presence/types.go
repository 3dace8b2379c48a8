package robots

type Meta struct {
	Name string `json:"name"`
}

type Bad struct {
	// +k8s:required
	// +k8s:optional # // want VG412 "+k8s:optional has no effect beside +k8s:required (keep the one that is meant)"
	Both string `json:"both"`

	// +k8s:ifEnabled(Names)=+k8s:required # // want VG412 "+k8s:required and +k8s:forbidden refuse the field whether it is set or not"
	// +k8s:ifEnabled(Names)=+k8s:forbidden
	// +k8s:ifDisabled(Names)=+k8s:optional
	Switched string `json:"switched,omitempty"`

	// +k8s:subfield(name)=+k8s:optional # // want VG412 "no effect"
	// +k8s:subfield(name)=+k8s:required
	Meta Meta `json:"meta"`
}

type Good struct {
	// +k8s:ifEnabled(Names)=+k8s:required
	// +k8s:ifDisabled(Names)=+k8s:optional
	Switched string `json:"switched,omitempty"`

	// Something stricter on trial.
	// +k8s:optional
	// +k8s:alpha=+k8s:required
	Trial string `json:"trial,omitempty"`

	// An option takes away what is there otherwise.
	// +k8s:optional
	// +k8s:ifDisabled(Names)=+k8s:forbidden
	Gated string `json:"gated,omitempty"`
}
