package ifenabled

// Rocket has rules that depend on the options Boost and Crew.
type Rocket struct {
	// +k8s:ifEnabled(Boost)=+k8s:required
	Booster string `json:"booster,omitempty"`

	// A required field stops the others only while its option is on.
	// +k8s:ifEnabled("Boost")=+k8s:required
	// +k8s:minimum=3
	Engines int32 `json:"engines,omitempty"`

	// An undefined option silences the field, because stopping is all that the chained tag does.
	// +k8s:ifEnabled(Boost)=+k8s:optional
	// +k8s:minimum=3
	Fins int32 `json:"fins,omitempty"`

	// +k8s:ifEnabled(Crew)=+k8s:forbidden
	// +k8s:maxLength=4
	Pilot string `json:"pilot,omitempty"`

	// +k8s:optional
	// +k8s:ifEnabled(Crew)=+k8s:eachVal=+k8s:maxLength=3
	Names []string `json:"names,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:ifEnabled(Crew)=+k8s:neq="fox"
	Pets []string `json:"pets,omitempty"`

	// Both options must be on.
	// +k8s:optional
	// +k8s:ifEnabled(Boost)=+k8s:ifEnabled(Crew)=+k8s:maxLength=2
	Motto string `json:"motto,omitempty"`

	// Only updates can break the rule, but the option is looked at on creates as well.
	// +k8s:optional
	// +k8s:ifEnabled(Crew)=+k8s:immutable
	Serial string `json:"serial,omitempty"`

	// The name of the member is no cohort any more: this stops all other rules of the field.
	// +k8s:ifEnabled(Boost)=+k8s:subfield(fuel)=+k8s:required
	// +k8s:subfield(litres)=+k8s:minimum=1
	Tank Tank `json:"tank,omitempty"`
}

// Tank has a rule of its own.
type Tank struct {
	Fuel   string `json:"fuel,omitempty"`
	Litres int32  `json:"litres,omitempty"`
	// +k8s:neq="leaky"
	State string `json:"state,omitempty"`
}

// Stage has a rule on the type.
// +k8s:ifEnabled(Boost)=+k8s:maxLength=1
type Stage string

// Flight has fields of conditional types.
type Flight struct {
	Stage  Stage   `json:"stage,omitempty"`
	Stages []Stage `json:"stages,omitempty"`
}
