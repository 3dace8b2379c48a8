package v1beta1

// Motion has two discriminators for one union.
type Motion struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	// want-above VG419 `field example.com/lint/vg419-replaced-discriminator/v1beta1.Motion.kind: another discriminator of the same union takes the place of this one (remove one of the two, or give each a union of its own: (union: <name>))`
	Kind string `json:"kind"`

	// +k8s:required
	// +k8s:unionDiscriminator
	Terrain string `json:"terrain"`

	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
}

// Outer gives the members of a struct two from outside.
type Outer struct {
	// +k8s:subfield(kind)=+k8s:unionDiscriminator
	// want-above VG419 `Outer.plain: another discriminator`
	// +k8s:subfield(terrain)=+k8s:unionDiscriminator
	// +k8s:subfield(wheels)=+k8s:unionMember
	Plain Plain `json:"plain"`
}

// Plain has no rules.
type Plain struct {
	Kind    string `json:"kind"`
	Terrain string `json:"terrain"`
	Wheels  *int32 `json:"wheels,omitempty"`
}

// Good has one for each of two unions.
type Good struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Kind string `json:"kind"`

	// +k8s:required
	// +k8s:unionDiscriminator(union: "terrain")
	Terrain string `json:"terrain"`

	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`

	// +k8s:optional
	// +k8s:unionMember(union: "terrain")
	Snow *int32 `json:"snow,omitempty"`
}
