package robots

type Bad struct {
	// +k8s:required
	// +k8s:maxLength=20 # // want VG420 "+k8s:maxLength=20 never counts beside +k8s:maxLength=10"
	// +k8s:maxLength=10
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:minimum=3
	// +k8s:minimum=1 # // want VG420 "+k8s:minimum=1 never counts beside +k8s:minimum=3"
	Arms int32 `json:"arms,omitempty"`

	// The limit of the items is another one than that of the list.
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=4
	// +k8s:eachVal=+k8s:maxLength=9 # // want VG420 "+k8s:maxLength=9"
	// +k8s:eachVal=+k8s:maxLength=8
	Names []string `json:"names,omitempty"`
}

type Good struct {
	// A stricter limit on trial is a rule of its own, and so is one under a condition.
	// +k8s:optional
	// +k8s:alpha=+k8s:maxLength=5
	// +k8s:ifEnabled(Short)=+k8s:maxLength=3
	// +k8s:maxLength=10
	Alias string `json:"alias,omitempty"`
}
