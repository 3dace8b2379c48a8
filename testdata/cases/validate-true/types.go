package validatetrue

// Calm is always valid.
// +k8s:validateTrue="type"
type Calm struct {
	// +k8s:validateTrue
	// +k8s:validateTrue(flags: "ShortCircuit")="a rule that stops the field, when it fails"
	// +k8s:validateTrue(flags: "ShortCircuit, NonError", cohort: "x", typeArg: "string")="the same in silence"
	// +k8s:neq="x"
	Name string `json:"name,omitempty"`

	// +k8s:eachVal=+k8s:validateTrue="item"
	List []string `json:"list,omitempty"`

	// +k8s:eachKey=+k8s:validateTrue="key"
	// +k8s:eachVal=+k8s:validateTrue="value"
	Map map[string]string `json:"map,omitempty"`

	// +k8s:subfield(name)=+k8s:validateTrue="member"
	Other *Calm `json:"other,omitempty"`
}
