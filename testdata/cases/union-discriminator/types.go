package uniondiscriminator

// Shape has its kind beside its members.
type Shape struct {
	// +k8s:unionDiscriminator
	Kind Kind `json:"kind"`

	// The value that selects a member is the name of its Go field, if it says no other.
	// +k8s:unionMember
	Circle *Circle `json:"circle,omitempty"`

	// +k8s:unionMember(memberName: "square")
	Rectangle *Circle `json:"rectangle,omitempty"`

	// +k8s:unionMember
	// +k8s:maxLength=2
	Text string `json:"text,omitempty"`

	Note string `json:"note,omitempty"`
}

// Kind is not restricted by the union: a value that names no member is no error by itself.
type Kind string

// Circle has a rule of its own.
type Circle struct {
	// +k8s:minimum=1
	Radius int32 `json:"radius"`
}

// Drawing holds unions below it.
type Drawing struct {
	Shape  Shape   `json:"shape"`
	Shapes []Shape `json:"shapes,omitempty"`
	Two    Two     `json:"two"`
}

// Two has two unions, one of them without a discriminator.
type Two struct {
	// +k8s:unionDiscriminator(union: "b")
	// +k8s:optional
	// +k8s:neq="none"
	Mode string `json:"mode,omitempty"`

	// +k8s:unionMember(union: "b", memberName: "x y")
	B1 string `json:"b1,omitempty"`

	// +k8s:unionMember(union: "b")
	B2 []string `json:"b2,omitempty"`

	// +k8s:unionMember(union: "a")
	A1 *string `json:"a1,omitempty"`

	// +k8s:unionMember(union: "a")
	A2 *string `json:"a2,omitempty"`
}
