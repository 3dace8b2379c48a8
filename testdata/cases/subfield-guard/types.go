package subfieldguard

// Shelf holds boxes.
type Shelf struct {
	// An item without a weight ends the checks of all items, and of their own rules.
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(weight)=+k8s:maximum=90
	Boxes []Box `json:"boxes,omitempty"`

	// An item whose seal has changed, or has none, ends the checks of all items.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(seal)=+k8s:maxLength=3
	Cans []Can `json:"cans,omitempty"`

	// +k8s:optional
	Crate *Crate `json:"crate,omitempty"`

	// +k8s:optional
	Pallet *Pallet `json:"pallet,omitempty"`
}

// Box is one of several.
type Box struct {
	// +k8s:required
	Name string `json:"name"`

	// +k8s:optional
	Weight int32 `json:"weight,omitempty"`
}

// Can has a seal that stays.
type Can struct {
	// +k8s:required
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:immutable
	Seal string `json:"seal,omitempty"`

	// +k8s:optional
	// +k8s:maximum=9
	Size int32 `json:"size,omitempty"`
}

// Aisle has shelves, each with guards of its own.
type Aisle struct {
	// +k8s:optional
	Shelves []Shelf `json:"shelves,omitempty"`

	// +k8s:optional
	Spare *Can `json:"spare,omitempty"`
}

// Crate has a guard that stops what is said of its weight, and nothing else.
// +k8s:subfield(weight)=+k8s:maximum=50
type Crate struct {
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name"`

	// +k8s:optional
	Weight int32 `json:"weight,omitempty"`
}

// Pallet says more of what a crate has.
// +k8s:subfield(weight)=+k8s:minimum=5
// +k8s:subfield(name)=+k8s:neq="b"
type Pallet Crate
