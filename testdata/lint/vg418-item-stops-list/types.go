package robots

type Arm struct {
	Name string `json:"name"`

	// +k8s:optional
	Tool string `json:"tool,omitempty"`
}

// +k8s:opaqueType
type Opaque struct {
	// +k8s:optional
	Tool string `json:"tool,omitempty"`
}

type Bad struct {
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:required # // want VG418 `+k8s:required on member "name" of one item ends the validation of the whole field (put the tag on member "name" itself, in the type of the items)`
	Required []Arm `json:"required,omitempty"`

	// The member says that it may be unset: then nothing more of the list is validated.
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(tool)=+k8s:maxLength=4 # // want VG418 `member "tool" has +k8s:optional of its own, which silently ends the validation of the whole field when it applies to one item`
	Inherited []Arm `json:"inherited,omitempty"`

	// +k8s:optional
	// +k8s:alpha=+k8s:eachVal=+k8s:subfield(name)=+k8s:required # // want VG418 "ends the validation of the whole field"
	Values map[string]Arm `json:"values,omitempty"`
}

type Good struct {
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:maxLength=4
	Items []Arm `json:"items,omitempty"`

	// Of an opaque struct nothing is inherited.
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(tool)=+k8s:maxLength=4
	Opaque []Opaque `json:"opaque,omitempty"`

	// A member of the struct itself has a cohort of its own.
	// +k8s:subfield(name)=+k8s:required
	Single Arm `json:"single"`
}
