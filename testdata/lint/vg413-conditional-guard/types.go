package robots

type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Plain struct {
	Name string `json:"name"`
}

type Bad struct {
	// +k8s:ifEnabled(Arms)=+k8s:required # // want VG413 `only +k8s:ifEnabled("Arms")=+k8s:required says what a null means (say it for the other requests too: +k8s:ifDisabled("Arms")=+k8s:optional)`
	Arm *Arm `json:"arm,omitempty"`

	// +k8s:ifDisabled(Arms)=+k8s:forbidden # // want VG413 "the members are validated in every request"
	// +k8s:subfield(name)=+k8s:maxLength=4
	Plain *Plain `json:"plain,omitempty"`

	// +k8s:modeDiscriminator
	// +k8s:required
	Mode string `json:"mode"`

	// +k8s:ifMode("Arm")=+k8s:required # // want VG413 "says what a null means (say it for the other requests too: +k8s:optional)"
	Moded *Arm `json:"moded,omitempty"`
}

type Good struct {
	// +k8s:ifEnabled(Arms)=+k8s:required
	// +k8s:ifDisabled(Arms)=+k8s:optional
	Arm *Arm `json:"arm,omitempty"`

	// +k8s:optional
	// +k8s:ifDisabled(Arms)=+k8s:forbidden
	Always *Arm `json:"always,omitempty"`

	// Nothing is validated, so a null is harmless.
	// +k8s:ifEnabled(Arms)=+k8s:required
	Plain *Plain `json:"plain,omitempty"`

	// Checks of scalars accept a null.
	// +k8s:ifEnabled(Arms)=+k8s:required
	// +k8s:minimum=2
	Wheels *int32 `json:"wheels,omitempty"`
}
