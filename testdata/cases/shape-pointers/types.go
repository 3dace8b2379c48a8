package pointers

// Box has pointers of every sort. What is null has no rules but those of presence.
type Box struct {
	// +k8s:maxLength=1
	String *string `json:"string,omitempty"`

	// +k8s:minimum=1
	Number *int64 `json:"number,omitempty"`

	// +k8s:neq=false
	Flag *bool `json:"flag,omitempty"`

	// +k8s:required
	// +k8s:maxLength=1
	Needed *string `json:"needed"`

	// There is no rule about its presence, and none is broken while it is null.
	Struct *Part `json:"struct,omitempty"`

	// +k8s:subfield(size)=+k8s:minimum=5
	Sub *Part `json:"sub,omitempty"`

	Word *Word `json:"word,omitempty"`

	// A null item is an error in a list of a type of its own; in another one it is where the field has rules.
	Words Words `json:"words,omitempty"`

	Parts []*Part `json:"parts,omitempty"`

	// +k8s:maxItems=3
	Few []*Part `json:"few,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(size)=+k8s:minimum=5
	Keyed []*Part `json:"keyed,omitempty"`
}

// Part has a rule of its own.
type Part struct {
	Name *string `json:"name,omitempty"`
	// +k8s:minimum=1
	Size int32 `json:"size"`
}

// Jar has pointers to types with rules on the type, and says nothing of their presence.
type Jar struct {
	// The rule on the type sees that it is cleared.
	Seal *Seal `json:"seal,omitempty"`

	// The union has no member while it is null.
	Lid *Lid `json:"lid,omitempty"`

	// A type with rules on its fields is left alone.
	Handle *Handle `json:"handle,omitempty"`
}

// Seal cannot be changed. Its own rule is meant for null, too, and those of its fields are not.
// +k8s:immutable
type Seal struct {
	// +k8s:minimum=1
	Number int32 `json:"number"`
}

// Lid is one of two.
type Lid struct {
	// +k8s:unionMember
	Cork *string `json:"cork,omitempty"`
	// +k8s:unionMember
	Cap *string `json:"cap,omitempty"`
}

// Handle is one of two.
type Handle struct {
	// +k8s:unionMember
	Left *Part `json:"left,omitempty"`
	// +k8s:unionMember
	Right *Part `json:"right,omitempty"`
}

// Word has a rule of its own.
// +k8s:maxLength=2
type Word string

// Words is a list of pointers.
type Words []*Word
