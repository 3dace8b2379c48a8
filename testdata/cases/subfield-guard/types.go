// +k8s:validation-gen=*

// Package subfieldguard has members whose own rules guard what others say of them.
package subfieldguard

// Shelf holds boxes.
type Shelf struct {
	// An item without a weight ends the checks of all items, and of their own rules.
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(weight)=+k8s:maximum=90
	Boxes []Box `json:"boxes,omitempty"`

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
