package minproperties

// Shelf holds one map of every sort that can be asked for keys.
type Shelf struct {
	// It does not stop the field.
	// +k8s:minProperties=2
	Books map[string]Book `json:"books,omitempty"`

	// +k8s:minProperties=1
	// +k8s:eachKey=+k8s:maxLength=1
	Owners map[Name]string `json:"owners,omitempty"`

	// Nothing can have fewer.
	// +k8s:optional
	// +k8s:minProperties=0
	Dust map[string]string `json:"dust,omitempty"`

	Notes Notes `json:"notes,omitempty"`

	// An unset map is let be, whether it is absent or empty.
	// +k8s:optional
	// +k8s:minProperties=2
	Extra map[string]string `json:"extra,omitempty"`

	// A map that lacks altogether has one error.
	// +k8s:required
	// +k8s:minProperties=2
	Must map[string]string `json:"must,omitempty"`
}

// Name is a string, too.
type Name string

// Book is too short when it has no pages.
type Book struct {
	// +k8s:minimum=1
	Pages int32 `json:"pages"`
}

// Notes is a map with a limit of its own.
// +k8s:minProperties=3
type Notes map[string]string
