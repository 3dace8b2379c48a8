package v1beta1

type Condition struct {
	// +k8s:required
	Type string `json:"type"`
}

type BadMember struct {
	// +k8s:optional
	// +k8s:unionMember # // want VG414 "the union has no other member, so this one is simply required"
	Wheels *int32 `json:"wheels,omitempty"`

	// +k8s:optional
	Legs *int32 `json:"legs,omitempty"`
}

type BadNames struct {
	// +k8s:optional
	// +k8s:unionMember(union: "motion") # // want VG414 "no other member"
	Wheels *int32 `json:"wheels,omitempty"`

	// +k8s:optional
	// +k8s:unionMember(union: "motoin") # // want VG414 "no other member"
	Legs *int32 `json:"legs,omitempty"`
}

type BadDiscriminator struct {
	// +k8s:required
	// +k8s:unionDiscriminator(union: "motion") # // want VG414 "no member belongs to the union of this discriminator, so it has no effect"
	Kind string `json:"kind"`

	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`

	// +k8s:optional
	// +k8s:unionMember
	Legs *int32 `json:"legs,omitempty"`
}

type BadItems struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "Done")=+k8s:zeroOrOneOfMember # // want VG414 "at most one of one member is always true"
	Conditions []Condition `json:"conditions,omitempty"`
}

type Good struct {
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`

	// +k8s:optional
	// +k8s:unionMember
	Legs *int32 `json:"legs,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "Done")=+k8s:zeroOrOneOfMember
	// +k8s:item(type: "Failed")=+k8s:zeroOrOneOfMember
	Conditions []Condition `json:"conditions,omitempty"`
}

// GoodDiscriminated has a mode without a member.
type GoodDiscriminated struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Kind string `json:"kind"`

	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
}

// GoodGrowing will have more members.
type GoodGrowing struct {
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
}
