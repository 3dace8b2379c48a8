package zerooroneofmember

// Choice leaves the choice open.
type Choice struct {
	// +k8s:zeroOrOneOfMember
	Tea *string `json:"tea,omitempty"`

	// +k8s:zeroOrOneOfMember
	Coffee string `json:"coffee,omitempty"`

	// +k8s:zeroOrOneOfMember
	// +k8s:maxItems=1
	Juices []string `json:"juices,omitempty"`

	// +k8s:zeroOrOneOfMember(union: "extras")
	Milk bool `json:"milk,omitempty"`

	// +k8s:zeroOrOneOfMember(union: "extras", memberName: "zest")
	Lemon int32 `json:"lemon,omitempty"`
}

// Table holds choices and a list with members of its own.
type Table struct {
	// +k8s:optional
	Choice *Choice `json:"choice,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
	// +k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
	// +k8s:item(type: "Denied")=+k8s:subfield(reason)=+k8s:required
	Conditions []Condition `json:"conditions,omitempty"`
}

// Condition is known by its type.
type Condition struct {
	Type   string `json:"type"`
	Reason string `json:"reason,omitempty"`
}
