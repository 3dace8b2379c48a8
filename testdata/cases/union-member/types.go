package unionmember

// Payment is a union itself: its errors have no path.
type Payment struct {
	// +k8s:unionMember
	Cash *Cash `json:"cash,omitempty"`

	// +k8s:unionMember
	Card *Card `json:"card,omitempty"`

	Note string `json:"note,omitempty"`
}

// Cash is paid at the door.
type Cash struct{}

// Card has a rule of its own, which is looked at when the union is right and when it is wrong.
type Card struct {
	// +k8s:required
	Number string `json:"number"`
}

// Order holds unions in several places.
type Order struct {
	Payment Payment `json:"payment"`

	// +k8s:optional
	Tip *Payment `json:"tip,omitempty"`

	Parts []Payment `json:"parts,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=kind
	Kinds []Kind `json:"kinds,omitempty"`
}

// Kind is a union beside a key.
type Kind struct {
	Kind string `json:"kind"`

	// +k8s:unionMember
	A string `json:"a,omitempty"`

	// +k8s:unionMember
	B string `json:"b,omitempty"`
}

// Sorts has two unions, whose members are of all kinds. Unions are looked at by name, before the fields.
type Sorts struct {
	// +k8s:unionMember(union: "two")
	// +k8s:maxLength=1
	Text string `json:"text,omitempty"`

	// +k8s:unionMember(union: "two")
	Number int32 `json:"number,omitempty"`

	// +k8s:unionMember(union: "two")
	Flag bool `json:"flag,omitempty"`

	// +k8s:unionMember(union: one)
	List []string `json:"list,omitempty"`

	// +k8s:unionMember(union: one)
	Map map[string]string `json:"map,omitempty"`

	// +k8s:unionMember(union: one)
	Pointer *string `json:"pointer,omitempty"`

	// +k8s:unionMember(union: one)
	Word Word `json:"word,omitempty"`
}

// Word is a string of its own type.
type Word string

// Plan has a list of which exactly one item must be there.
type Plan struct {
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "succeeded")=+k8s:unionMember
	// +k8s:item(name: "failed")=+k8s:unionMember
	Tasks []Task `json:"tasks,omitempty"`

	// +k8s:optional
	Steps Steps `json:"steps,omitempty"`
}

// Task is known by its name.
type Task struct {
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
}

// Steps is a union as a type.
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:item(name: "up")=+k8s:unionMember
// +k8s:item(name: "down")=+k8s:unionMember
type Steps []Task

// Signs has a union whose selectors are shown as Go quotes them. The blank in the second one does not break lines.
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:item(name: "<é>")=+k8s:unionMember
// +k8s:item(name: "no break")=+k8s:unionMember
type Signs []Task
