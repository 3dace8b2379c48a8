package listmapkey

// Port has list-maps with keys of every sort.
type Port struct {
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Ships []Ship `json:"ships,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=pier
	// +k8s:listMapKey=number
	Berths []Berth `json:"berths,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=deep
	Basins []Basin `json:"basins,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=call
	Pilots []*Pilot `json:"pilots,omitempty"`

	Tugs Tugs `json:"tugs,omitempty"`
}

// Ship is known by its name. Its rule shows which old ship is compared.
type Ship struct {
	Name string `json:"name"`
	// +k8s:immutable
	Flag string `json:"flag,omitempty"`
	Crew int32  `json:"crew"`
}

// Berth is known by two members.
type Berth struct {
	Pier   Pier  `json:"pier"`
	Number int64 `json:"number"`
	// +k8s:immutable
	Depth *int32 `json:"depth,omitempty"`
}

// Pier is a string of its own type.
type Pier string

// Basin is known by a truth value, so there are two at most.
type Basin struct {
	Deep bool `json:"deep"`
	// +k8s:immutable
	Area int32 `json:"area,omitempty"`
}

// Pilot is known by a member behind a pointer: one that is not set is equal to others that are not.
type Pilot struct {
	Call *string `json:"call,omitempty"`
	// +k8s:immutable
	Age *int32 `json:"age,omitempty"`
}

// Tugs has the tags on the type.
// +k8s:listType=map
// +k8s:listMapKey=name
type Tugs []Ship
