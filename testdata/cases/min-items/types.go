package minitems

// Shelf holds one list of every sort that can be asked for items.
type Shelf struct {
	// It does not stop the field.
	// +k8s:minItems=2
	Books []Book `json:"books,omitempty"`

	// +k8s:minItems=1
	Owners []*string `json:"owners,omitempty"`

	// Nothing can have fewer.
	// +k8s:optional
	// +k8s:minItems=0
	Dust []string `json:"dust,omitempty"`

	Notes Notes `json:"notes,omitempty"`

	// An unset list is let be, whether it is absent or empty.
	// +k8s:optional
	// +k8s:minItems=2
	Extra []string `json:"extra,omitempty"`

	// A list that lacks altogether has one error.
	// +k8s:required
	// +k8s:minItems=2
	Must []string `json:"must,omitempty"`

	// +k8s:minItems=3
	Bytes []byte `json:"bytes,omitempty"`
}

// Book is too short when it has no pages.
type Book struct {
	// +k8s:minimum=1
	Pages int32 `json:"pages"`
}

// Notes is a list with a limit of its own.
// +k8s:minItems=3
type Notes []string
