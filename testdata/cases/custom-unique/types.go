package customunique

// Bag has lists of all sorts, none of which is searched for duplicates.
type Bag struct {
	// +k8s:listType=set
	// +k8s:customUnique
	Names []string `json:"names,omitempty"`

	// Items keep their identity all the same.
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:customUnique
	// +k8s:eachVal=+k8s:immutable
	Stones []Stone `json:"stones,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:customUnique
	// +k8s:eachVal=+k8s:maxLength=2
	Codes []string `json:"codes,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:customUnique
	// +k8s:item(name: "a")=+k8s:subfield(size)=+k8s:minimum=1
	// +k8s:update=NoRemoveItem
	Kept []Stone `json:"kept,omitempty"`

	// +k8s:listType=atomic
	// +k8s:customUnique
	Atoms []Stone `json:"atoms,omitempty"`

	Lot Lot `json:"lot,omitempty"`

	// Pile has no other rule, so that the first question of an update is a quick one.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:customUnique
	Pile []Stone `json:"pile,omitempty"`

	// Null items are no duplicates.
	// +k8s:listType=set
	// +k8s:customUnique
	Refs []*string `json:"refs,omitempty"`
}

// Stone has a rule of its own.
type Stone struct {
	Name string `json:"name"`
	// +k8s:neq=13
	Size int32 `json:"size,omitempty"`
}

// Lot has the tags on the type.
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:customUnique
type Lot []Stone
