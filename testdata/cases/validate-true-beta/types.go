package validatetruebeta

// Calm is always valid.
// +k8s:validateTrueBeta="type"
type Calm struct {
	// +k8s:validateTrueBeta
	// +k8s:validateTrueBeta(flags: "ShortCircuit")="a rule that stops the field, when it fails"
	// +k8s:validateTrueBeta(flags: "ShortCircuit, NonError", cohort: "x", typeArg: "string")="the same in silence"
	// +k8s:beta=+k8s:validateTrueBeta="with a level"
	// +k8s:neq="x"
	Name string `json:"name,omitempty"`

	// +k8s:eachVal=+k8s:validateTrueBeta="item"
	List []string `json:"list,omitempty"`

	// +k8s:eachKey=+k8s:validateTrueBeta="key"
	// +k8s:eachVal=+k8s:validateTrueBeta="value"
	Map map[string]string `json:"map,omitempty"`

	// +k8s:subfield(name)=+k8s:validateTrueBeta="member"
	Other *Calm `json:"other,omitempty"`
}
