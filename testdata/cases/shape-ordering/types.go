package ordering

// Order has tags in an order in which they are not looked at: that goes by name, and by the source for equal names.
// Fields come in the order of the source; unions and rules of the type come before them.
// +k8s:validateFalse="type"
type Order struct {
	// +k8s:validateFalse="1"
	// +k8s:neq="x"
	// +k8s:validateFalse="2"
	// +k8s:maxLength=0
	// +k8s:ifEnabled(On)=+k8s:validateFalse="sorts as ifEnabled"
	// +k8s:format=k8s-uuid
	Zebra string `json:"zebra"`

	// What waits for other tags (loops, members, uniqueness) comes after what does not, in the order of the tags.
	// +k8s:validateFalse="at once"
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:neq="x"
	// +k8s:eachVal=+k8s:maxLength=0
	Ape []string `json:"ape,omitempty"`

	// +k8s:subfield(z)=+k8s:neq="x"
	// +k8s:subfield(a)=+k8s:neq="x"
	// +k8s:validateFalse="field"
	Cow Cow `json:"cow"`

	// +k8s:unionMember(union: "z")
	Z *string `json:"z,omitempty"`

	// +k8s:unionMember(union: "a")
	A *string `json:"a,omitempty"`
}

// Cow has a rule on the type, which comes before those of its fields.
// +k8s:validateFalse="type Cow"
type Cow struct {
	// +k8s:validateFalse="type Cow, z"
	Z string `json:"z,omitempty"`
	// +k8s:validateFalse="type Cow, a"
	A string `json:"a,omitempty"`
}
