package customvalidation

// Dock has handwritten checks of fields of every kind.
type Dock struct {
	// A stopping rule keeps the value from the function.
	// +k8s:required
	// +k8s:customValidation
	Name string `json:"name,omitempty"`

	// Rules come in the order of their names, handwritten ones as well.
	// +k8s:optional
	// +k8s:beta=+k8s:neq="ab"
	// +k8s:customValidation
	// +k8s:maxLength=1
	Code string `json:"code,omitempty"`

	// +k8s:customValidation
	Depth *int32 `json:"depth,omitempty"`

	// +k8s:listType=atomic
	// +k8s:customValidation
	// +k8s:eachVal=+k8s:maxLength=2
	Hours []string `json:"hours,omitempty"`

	// The one of the field comes before the one of its type.
	// +k8s:customValidation
	Crane Crane `json:"crane,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	Cranes []Crane `json:"cranes,omitempty"`

	Spare *Crane `json:"spare,omitempty"`

	// +k8s:ifEnabled(Tides)=+k8s:customValidation
	Tide string `json:"tide,omitempty"`

	Rope Rope `json:"rope,omitempty"`

	// What goes wrong in a function is the server's fault.
	// +k8s:customValidation
	Fault string `json:"fault,omitempty"`
}

// Buoy has a handwritten check in one mode, and others in another.
type Buoy struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// +k8s:ifMode(moored)=+k8s:customValidation
	// +k8s:ifMode(adrift)=+k8s:maximum=5
	Chain *int32 `json:"chain,omitempty"`
}

// Slip has functions that tell what they are given.
type Slip struct {
	// +k8s:customValidation
	String string `json:"string,omitempty"`

	// +k8s:customValidation
	Number int32 `json:"number,omitempty"`

	// +k8s:customValidation
	Pointer *string `json:"pointer,omitempty"`

	// +k8s:customValidation
	List []string `json:"list,omitempty"`

	// +k8s:customValidation
	Map map[string]string `json:"map,omitempty"`

	// +k8s:customValidation
	Struct Plain `json:"struct,omitempty"`
}

// Plain has no rules.
type Plain struct {
	A string `json:"a,omitempty"`
}

// Crane has a handwritten check of the whole, which every update of it runs, and one of a field.
// +k8s:customValidation
type Crane struct {
	Name string `json:"name"`
	// +k8s:customValidation
	Load  int32 `json:"load,omitempty"`
	Limit int32 `json:"limit,omitempty"`
}

// Rope is a string with a handwritten check.
// +k8s:customValidation
type Rope string
