package unique

// Bag has lists that are replaced as a whole, and are sets and maps all the same.
type Bag struct {
	// +k8s:listType=atomic
	// +k8s:unique=set
	Names []string `json:"names,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=set
	Refs []*string `json:"refs,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=set
	Stones []Stone `json:"stones,omitempty"`

	// Equality of what holds lists and pointers is semantic.
	// +k8s:unique=set
	// +k8s:listType=atomic
	Strings []String `json:"strings,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=size
	Marbles []Stone `json:"marbles,omitempty"`

	// A key of two members, one of which is a pointer.
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=host
	// +k8s:listMapKey=port
	Links []Link `json:"links,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=host
	// +k8s:listMapKey=port
	Pointers []*Link `json:"pointers,omitempty"`

	Lot Lot `json:"lot,omitempty"`

	// The limit stops the search for duplicates, which stops nothing itself.
	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:maxLength=1
	Few []string `json:"few,omitempty"`

	// Items keep their identity, as in lists that are maps themselves.
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=size
	// +k8s:eachVal=+k8s:immutable
	// +k8s:item(size: 1)=+k8s:subfield(colour)=+k8s:neq="grey"
	Kept []Stone `json:"kept,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:eachVal=+k8s:maxLength=2
	Codes []string `json:"codes,omitempty"`

	Shared []Word `json:"shared,omitempty"`
}

// Stone is comparable as it is.
type Stone struct {
	Colour string `json:"colour,omitempty"`
	Size   int32  `json:"size"`
}

// String has what Go cannot compare.
type String struct {
	Beads []string `json:"beads,omitempty"`
	Clasp *string  `json:"clasp,omitempty"`
}

// Link has keys of two sorts, and a rule of its own.
type Link struct {
	Host string `json:"host"`
	Port *int32 `json:"port,omitempty"`
	// +k8s:minimum=1
	Weight *int32 `json:"weight,omitempty"`
}

// Lot has the tags on the type.
// +k8s:listType=atomic
// +k8s:unique=set
type Lot []Word

// Word is too long with more than two characters.
// +k8s:maxLength=2
type Word string
