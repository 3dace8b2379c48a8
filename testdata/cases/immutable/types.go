package immutable

// Deed has immutable fields of every sort.
type Deed struct {
	// +k8s:immutable
	Owner string `json:"owner,omitempty"`

	// +k8s:immutable
	Note *string `json:"note,omitempty"`

	// +k8s:immutable
	// +k8s:optional
	// +k8s:minimum=1
	Area int64 `json:"area,omitempty"`

	// +k8s:immutable
	Shared bool `json:"shared,omitempty"`

	// +k8s:immutable
	Plot Plot `json:"plot,omitempty"`

	// +k8s:immutable
	Neighbour *Plot `json:"neighbour,omitempty"`

	// +k8s:immutable
	// +k8s:maxItems=2
	Witnesses []string `json:"witnesses,omitempty"`

	// +k8s:immutable
	Stamps map[string]string `json:"stamps,omitempty"`

	// +k8s:immutable
	// +k8s:required
	Number string `json:"number,omitempty"`

	Seal Seal `json:"seal,omitempty"`

	Map Survey `json:"map,omitempty"`

	// +k8s:subfield(row)=+k8s:immutable
	Grave Plot `json:"grave,omitempty"`

	// A list of which each item is immutable may still grow, if items are known by key; but what is added is refused.
	// +k8s:listType=map
	// +k8s:listMapKey=row
	// +k8s:eachVal=+k8s:immutable
	Plots []Plot `json:"plots,omitempty"`

	// +k8s:listType=set
	// +k8s:eachVal=+k8s:immutable
	Heirs []string `json:"heirs,omitempty"`

	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:immutable
	Lines []string `json:"lines,omitempty"`

	// +k8s:eachVal=+k8s:immutable
	Rights map[string]string `json:"rights,omitempty"`

	// The order of a set counts where the whole list is immutable.
	// +k8s:immutable
	// +k8s:listType=set
	Colours []string `json:"colours,omitempty"`
}

// Plot has a rule of its own.
type Plot struct {
	Row string `json:"row"`
	// +k8s:minimum=1
	Size int32 `json:"size"`
}

// Seal is immutable wherever it is used.
// +k8s:immutable
type Seal string

// Survey is an immutable struct: what is in it is not looked at when it changes.
// +k8s:immutable
type Survey struct {
	// +k8s:maxLength=3
	Scale string `json:"scale,omitempty"`
}

// Stone is immutable as an object: nothing compares it with the old one, so every update is refused.
// +k8s:immutable
type Stone struct {
	Text string `json:"text"`
}
