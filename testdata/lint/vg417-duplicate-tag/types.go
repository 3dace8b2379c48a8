package robots

type Bad struct {
	// +k8s:required
	// +k8s:maxLength=10
	// +k8s:maxLength=10 # // want VG417 "+k8s:maxLength=10 is a repetition"
	Name string `json:"name"`

	// However it is written.
	// +k8s:optional
	// +k8s:eachVal=+k8s:format=k8s-short-name
	// +k8s:eachVal=+k8s:format="k8s-short-name" # // want VG417 "is a repetition"
	Items []string `json:"items,omitempty"`
}

// +k8s:maxLength=10
// +k8s:maxLength=10 # // want VG417 "is a repetition"
type BadName string

type Good struct {
	// +k8s:required
	// +k8s:maxLength=10
	// +k8s:alpha=+k8s:maxLength=10
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:update=NoUnset
	Update string `json:"update,omitempty"`
}
