package ifdisabled

// Sail has rules that depend on the option Motor.
type Sail struct {
	// +k8s:ifDisabled(Motor)=+k8s:required
	Cloth string `json:"cloth,omitempty"`

	// The usual pair: required while the option is on, to be left unset while it is off.
	// +k8s:ifEnabled(Motor)=+k8s:required
	// +k8s:ifDisabled(Motor)=+k8s:forbidden
	Fuel *string `json:"fuel,omitempty"`

	// +k8s:ifEnabled(Motor)=+k8s:required
	// +k8s:ifDisabled(Motor)=+k8s:optional
	// +k8s:minimum=2
	Power int32 `json:"power,omitempty"`

	// +k8s:optional
	// +k8s:ifDisabled(Motor)=+k8s:maxItems=1
	// +k8s:eachVal=+k8s:maxLength=3
	Masts []string `json:"masts,omitempty"`
}
