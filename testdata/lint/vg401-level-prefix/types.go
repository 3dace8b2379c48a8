package robots

type Bad struct {
	// +k8s:optional
	// +k8s:eachVal=+k8s:alpha(since: "1.37")=+k8s:maxLength=16 # // want VG401 `tag "k8s:alpha" can't be used in between`
	Between []string `json:"between,omitempty"`

	// One finding a declaration, as upstream.
	// +k8s:optional
	// +k8s:eachVal=+k8s:beta=+k8s:maxLength=16 # // want VG401 `can't be used in between (put the level first: +k8s:beta=+k8s:eachVal=+k8s:maxLength=16)`
	// +k8s:eachVal=+k8s:beta=+k8s:minLength=1
	Twice []string `json:"twice,omitempty"`

	// +k8s:optional
	// +k8s:alpha=+k8s:alpha=+k8s:maxLength=16 # // want VG401 "in between (one level is enough: +k8s:alpha=+k8s:maxLength=16)"
	Doubled string `json:"doubled,omitempty"`

	// That no tag follows is an error already, and said once.
	// +k8s:optional
	// +k8s:alpha # // want VG203 "missing required tag value of type tag"
	Empty string `json:"empty,omitempty"`
}

type Good struct {
	// +k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:eachVal=+k8s:maxLength=16
	First []string `json:"first,omitempty"`

	// +k8s:alpha=+k8s:required
	Plain string `json:"plain"`
}
