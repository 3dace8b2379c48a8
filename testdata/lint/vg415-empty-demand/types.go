package robots

type Bad struct {
	// +k8s:required
	// +k8s:minLength=0 # // want VG415 "+k8s:minLength=0 demands nothing"
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:minLength=-1 # // want VG415 "+k8s:minLength=-1 demands nothing"
	Negative string `json:"negative,omitempty"`

	// +k8s:optional
	// +k8s:alpha=+k8s:minItems=0 # // want VG415 "+k8s:minItems=0"
	Items []string `json:"items,omitempty"`

	// +k8s:optional
	// +k8s:minProperties=0 # // want VG415 "+k8s:minProperties=0"
	Properties map[string]string `json:"properties,omitempty"`

	// What is an error already is said once.
	// +k8s:optional
	// +k8s:eachVal=+k8s:minLength=0 # // want VG204 "no validation functions found"
	Inside []string `json:"inside,omitempty"`
}

type Good struct {
	// +k8s:required
	// +k8s:minLength=1
	Name string `json:"name"`

	// A number can be below zero.
	// +k8s:optional
	// +k8s:minimum=0
	Wheels int32 `json:"wheels,omitempty"`

	// And no list may have items.
	// +k8s:optional
	// +k8s:maxItems=0
	Items []string `json:"items,omitempty"`
}
