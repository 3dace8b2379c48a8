package maxproperties

// Shelf holds maps of every sort that can be limited.
type Shelf struct {
	// +k8s:maxProperties=2
	Books map[string]Book `json:"books,omitempty"`

	// +k8s:maxProperties=1
	// +k8s:eachKey=+k8s:maxLength=1
	// +k8s:eachVal=+k8s:maxLength=1
	Owners map[Name]string `json:"owners,omitempty"`

	// +k8s:maxProperties=0
	Dust map[string]string `json:"dust,omitempty"`

	// All rules that stop a field are looked at before it stops.
	// +k8s:immutable
	// +k8s:maxProperties=1
	Seals map[string]string `json:"seals,omitempty"`

	Notes Notes `json:"notes,omitempty"`
}

// Name is a string, too.
type Name string

// Book is too short when it has no pages. The rule shows that a map with too many keys is not looked into.
type Book struct {
	// +k8s:minimum=1
	Pages int32 `json:"pages"`
}

// Notes is a map with a limit of its own.
// +k8s:maxProperties=3
type Notes map[string]string
