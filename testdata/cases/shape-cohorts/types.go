package cohorts

// Node has rules that stop others, in all combinations.
type Node struct {
	// All rules that stop a field report, and then nothing else is looked at: not the items, not their type.
	// +k8s:maxItems=1
	// +k8s:immutable
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=1
	Tags []Tag `json:"tags,omitempty"`

	// A loop whose rule stops its items is a rule that stops the field.
	// +k8s:eachVal=+k8s:immutable
	// +k8s:eachVal=+k8s:neq="x"
	Parts []Tag `json:"parts,omitempty"`

	// Members are cohorts of their own: neither stops the other, and not the rules of the type.
	// +k8s:validateFalse="field"
	// +k8s:subfield(a)=+k8s:required
	// +k8s:subfield(a)=+k8s:validateFalse="a"
	// +k8s:subfield(b)=+k8s:required
	// +k8s:subfield(b)=+k8s:validateFalse="b"
	Pair Pair `json:"pair"`

	// A rule that stops the field stops its members, too.
	// +k8s:required
	// +k8s:subfield(a)=+k8s:validateFalse="a"
	Other *Pair `json:"other,omitempty"`

	// Where the whole loop is about a member, a failure there stops the field.
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:subfield(a)=+k8s:required
	// +k8s:eachVal=+k8s:validateFalse="item"
	Pairs []Pair `json:"pairs,omitempty"`

	Sealed Sealed `json:"sealed"`
}

// Tag has a rule of its own.
// +k8s:neq="bad"
type Tag string

// Pair has rules of its own.
type Pair struct {
	// +k8s:maxLength=1
	A string `json:"a,omitempty"`
	// +k8s:maxLength=1
	B string `json:"b,omitempty"`
}

// Sealed has a rule on the type that hides its fields.
// +k8s:validateFalse(flags: "ShortCircuit")="sealed"
type Sealed struct {
	// +k8s:required
	Name string `json:"name,omitempty"`
}
