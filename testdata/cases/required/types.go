package required

// Order has a required field of every kind.
type Order struct {
	// +k8s:required
	Customer string `json:"customer"`

	// +k8s:required
	Ref *string `json:"ref"`

	// +k8s:required
	Number int64 `json:"number"`

	// +k8s:required
	Bonus *int32 `json:"bonus"`

	// +k8s:required
	Paid bool `json:"paid"`

	// +k8s:required
	Gift *bool `json:"gift"`

	// +k8s:required
	// +k8s:maxItems=2
	Lines []Line `json:"lines"`

	// +k8s:required
	Labels map[string]string `json:"labels"`

	// +k8s:required
	// +k8s:maxLength=3
	Currency Currency `json:"currency"`

	// +k8s:required
	Address *Address `json:"address"`
}

// Line is one line of an order.
type Line struct {
	// +k8s:required
	Article string `json:"article"`
}

// Currency is a string under another name.
// +k8s:neq="XXX"
type Currency string

// Address is behind a pointer: an empty one is set all the same.
type Address struct {
	// +k8s:required
	City string `json:"city"`
}
