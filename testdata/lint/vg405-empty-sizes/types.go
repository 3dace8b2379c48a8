package robots

type Bad struct {
	// +k8s:required
	// +k8s:minLength=20 # // want VG405 "no value satisfies both +k8s:minLength=20 and +k8s:maxLength=10"
	// +k8s:maxLength=10
	Name string `json:"name"`

	// +k8s:required
	// +k8s:minLength=20 # // want VG405 "+k8s:maxBytes=19"
	// +k8s:maxBytes=19
	Bytes string `json:"bytes"`

	// +k8s:required
	// +k8s:minItems=2 # // want VG405 "+k8s:maxItems=1"
	// +k8s:maxItems=1
	Items []string `json:"items"`

	// +k8s:required
	// +k8s:minProperties=2 # // want VG405 "+k8s:maxProperties=1"
	// +k8s:maxProperties=1
	Properties map[string]string `json:"properties"`
}

type Good struct {
	// +k8s:required
	// +k8s:minLength=10
	// +k8s:maxLength=10
	// +k8s:maxBytes=10
	Name string `json:"name"`

	// +k8s:required
	// +k8s:minItems=20
	// +k8s:eachVal=+k8s:maxLength=10
	Items []string `json:"items"`
}
