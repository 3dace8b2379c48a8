package forbidden

// Vault has nothing but fields that must not be set. Whatever else is demanded of them is never looked at, except for
// rules that stop the field as well.
type Vault struct {
	// +k8s:forbidden
	// +k8s:maxLength=3
	Code string `json:"code,omitempty"`

	// +k8s:forbidden
	Hint *string `json:"hint,omitempty"`

	// +k8s:forbidden
	// +k8s:minimum=5
	Floor int32 `json:"floor,omitempty"`

	// +k8s:forbidden
	Depth *int32 `json:"depth,omitempty"`

	// +k8s:forbidden
	Open bool `json:"open,omitempty"`

	// +k8s:forbidden
	// +k8s:maxItems=1
	// +k8s:eachVal=+k8s:maxLength=1
	Keys []string `json:"keys,omitempty"`

	// +k8s:forbidden
	Notes map[string]string `json:"notes,omitempty"`

	// +k8s:forbidden
	// +k8s:immutable
	Box *Box `json:"box,omitempty"`

	// +k8s:forbidden
	Rank Rank `json:"rank,omitempty"`
}

// Box has a rule that nobody gets to.
type Box struct {
	// +k8s:required
	Label string `json:"label"`
}

// Rank has a rule that nobody gets to.
// +k8s:neq="low"
type Rank string
