package robots

type Bad struct {
	// +k8s:ifEnabled(Names)=+k8s:required
	// +k8s:format=k8s-short-name # // want VG416 `the empty string is no k8s-short-name, and only +k8s:ifEnabled("Names")=+k8s:required says what an absent one means`
	Name string `json:"name,omitempty"`
}

type Good struct {
	// +k8s:ifEnabled(Names)=+k8s:required
	// +k8s:ifDisabled(Names)=+k8s:optional
	// +k8s:format=k8s-short-name
	Name string `json:"name,omitempty"`

	// +k8s:ifEnabled(Names)=+k8s:optional
	// +k8s:ifEnabled(Names)=+k8s:format=k8s-short-name
	Switched string `json:"switched,omitempty"`

	// A label may be empty.
	// +k8s:ifEnabled(Names)=+k8s:required
	// +k8s:format=k8s-label-value
	Label string `json:"label,omitempty"`

	// A null has no format.
	// +k8s:ifEnabled(Names)=+k8s:required
	// +k8s:format=k8s-short-name
	Pointer *string `json:"pointer,omitempty"`
}
