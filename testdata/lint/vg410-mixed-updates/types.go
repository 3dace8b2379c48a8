package robots

type Bad struct {
	// +k8s:optional
	// +k8s:update=NoSet # // want VG410 `+k8s:update="NoSet" becomes part of +k8s:alpha=+k8s:update="NoUnset" and shares its conditions and level`
	// +k8s:alpha=+k8s:update=NoUnset
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:ifEnabled(Frozen)=+k8s:update=NoSet
	// +k8s:ifDisabled(Frozen)=+k8s:update=NoUnset # // want-above VG410 "becomes part of +k8s:ifDisabled"
	Switched string `json:"switched,omitempty"`
}

type Good struct {
	// +k8s:optional
	// +k8s:alpha(since: "1.36")=+k8s:update=NoSet
	// +k8s:alpha(since: "1.37")=+k8s:update=NoUnset
	Name string `json:"name,omitempty"`

	// Of the list, and of its values.
	// +k8s:optional
	// +k8s:alpha=+k8s:update=NoUnset
	// +k8s:eachVal=+k8s:update=NoModify
	Table map[string]string `json:"table,omitempty"`
}
