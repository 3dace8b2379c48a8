package opaquetype

// Wrapper uses Fragile and others in all sorts of places, with and without their own rules.
type Wrapper struct {
	Open Fragile `json:"open,omitempty"`

	// What stands on the field itself counts.
	// +k8s:opaqueType
	// +k8s:subfield(label)=+k8s:neq="x"
	Closed Fragile `json:"closed,omitempty"`

	// +k8s:opaqueType
	// +k8s:required
	Behind *Fragile `json:"behind,omitempty"`

	// +k8s:opaqueType
	// +k8s:neq="z"
	Word Word `json:"word,omitempty"`

	// +k8s:eachVal=+k8s:opaqueType
	List []Fragile `json:"list,omitempty"`

	// +k8s:listType=set
	// +k8s:eachVal=+k8s:opaqueType
	// +k8s:eachVal=+k8s:neq="z"
	Words []Word `json:"words,omitempty"`

	// +k8s:eachKey=+k8s:opaqueType
	Keys map[Word]Fragile `json:"keys,omitempty"`

	// +k8s:eachVal=+k8s:opaqueType
	Values map[Word]Fragile `json:"values,omitempty"`

	// The tag on the field is about the type of the field, which has no rules: those of its items still count.
	// +k8s:opaqueType
	Bare []Fragile `json:"bare,omitempty"`

	// +k8s:opaqueType
	Named Fragiles `json:"named,omitempty"`

	Sealed Sealed `json:"sealed,omitempty"`
}

// Fragile has a rule of its own.
type Fragile struct {
	// +k8s:required
	Label string `json:"label,omitempty"`
}

// Word has a rule of its own.
// +k8s:maxLength=3
type Word string

// Fragiles has rules of its own and of its items.
// +k8s:maxItems=1
type Fragiles []Fragile

// Sealed is opaque wherever it is used: its own tags count, those of its fields do not.
// +k8s:opaqueType
// +k8s:subfield(label)=+k8s:neq="y"
type Sealed struct {
	// +k8s:required
	Label string `json:"label,omitempty"`
	// +k8s:maxLength=1
	Note string `json:"note,omitempty"`
}
