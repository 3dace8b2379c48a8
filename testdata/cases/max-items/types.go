package maxitems

// Shelf holds one list of every sort that can be limited.
type Shelf struct {
	// +k8s:maxItems=2
	Books []Book `json:"books,omitempty"`

	// +k8s:maxItems=1
	Owners []*string `json:"owners,omitempty"`

	// +k8s:maxItems=0
	Dust []string `json:"dust,omitempty"`

	Notes Notes `json:"notes,omitempty"`
}

// Book is too short when it has no pages. The rule shows that a list with too many items is not looked into.
type Book struct {
	// +k8s:minimum=1
	Pages int32 `json:"pages"`
}

// Notes is a list with a limit of its own.
// +k8s:maxItems=3
type Notes []string
