package validatetruealpha

// Calm is always valid.
// +k8s:validateTrueAlpha="type"
type Calm struct {
	// +k8s:validateTrueAlpha
	// +k8s:validateTrueAlpha(flags: "ShortCircuit")="a rule that stops the field, when it fails"
	// +k8s:validateTrueAlpha(flags: "ShortCircuit, NonError", cohort: "x", typeArg: "string")="the same in silence"
	// +k8s:alpha=+k8s:validateTrueAlpha="with a level"
	// +k8s:neq="x"
	Name string `json:"name,omitempty"`

	// +k8s:eachVal=+k8s:validateTrueAlpha="item"
	List []string `json:"list,omitempty"`

	// +k8s:eachKey=+k8s:validateTrueAlpha="key"
	// +k8s:eachVal=+k8s:validateTrueAlpha="value"
	Map map[string]string `json:"map,omitempty"`

	// +k8s:subfield(name)=+k8s:validateTrueAlpha="member"
	Other *Calm `json:"other,omitempty"`
}
