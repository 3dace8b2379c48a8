package item

// Board has lists of which some items have rules of their own.
type Board struct {
	// A failure that stops an item stops no other item, and not the list either.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "main")=+k8s:subfield(volts)=+k8s:minimum=100
	// +k8s:item(name: "spare")=+k8s:immutable
	// +k8s:item(name: "spare")=+k8s:subfield(volts)=+k8s:minimum=200
	Fuses []Fuse `json:"fuses,omitempty"`

	// Keys of all types, in another order than they are declared in.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=row
	// +k8s:listMapKey=live
	// +k8s:listMapKey=side
	// +k8s:item(side: left, live: true, row: -1)=+k8s:validateFalse="found"
	Pins []Pin `json:"pins,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=id
	// +k8s:item(id: "")=+k8s:validateFalse="found"
	Wires []*Wire `json:"wires,omitempty"`

	// +k8s:optional
	Rail Rail `json:"rail,omitempty"`

	// The item must be there.
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "earth")=+k8s:required
	Terminals []Fuse `json:"terminals,omitempty"`
}

// Fuse has a rule of its own, which counts for every item.
type Fuse struct {
	Name string `json:"name"`
	// +k8s:neq=230
	Volts int32 `json:"volts,omitempty"`
}

// Pin has three keys.
type Pin struct {
	Side Side  `json:"side"`
	Row  int32 `json:"row"`
	Live bool  `json:"live"`
	Pad  *int32 `json:"pad,omitempty"`
}

// Side is a string of its own type.
type Side string

// Wire has a key behind a pointer. One that is not set matches nothing.
type Wire struct {
	ID *string `json:"id,omitempty"`
}

// Rail has the tags on the type.
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:item(name: "main")=+k8s:subfield(volts)=+k8s:minimum=1000
type Rail []Fuse
