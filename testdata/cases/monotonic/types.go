package monotonic

// Meter has integers of several sizes that only grow.
type Meter struct {
	// +k8s:monotonic
	Reading int64 `json:"reading"`

	// A value that appears or vanishes is compared with nothing.
	// +k8s:monotonic
	Peak *int32 `json:"peak,omitempty"`

	// +k8s:monotonic
	Count uint64 `json:"count,omitempty"`

	// +k8s:monotonic
	Small int8 `json:"small,omitempty"`

	// The rule does not stop others, but others stop it.
	// +k8s:optional
	// +k8s:monotonic
	// +k8s:minimum=-5
	Level int `json:"level,omitempty"`

	Epoch Epoch `json:"epoch,omitempty"`

	// The rule of the field comes before that of the type.
	// +k8s:monotonic
	Era Epoch `json:"era,omitempty"`

	// Items are looked at where they have changed, and compared where they have old values.
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Dials []Dial `json:"dials,omitempty"`

	Loose []Dial `json:"loose,omitempty"`

	Next *Dial `json:"next,omitempty"`

	Epochs map[string]Epoch `json:"epochs,omitempty"`

	// +k8s:subfield(value)=+k8s:monotonic
	Plain Plain `json:"plain,omitempty"`
}

// Epoch never goes back.
// +k8s:monotonic
type Epoch int32

// Dial is a number with a name.
type Dial struct {
	Name string `json:"name"`

	// +k8s:monotonic
	Value int32 `json:"value"`
}

// Plain has no rules.
type Plain struct {
	Value int32 `json:"value,omitempty"`
}
