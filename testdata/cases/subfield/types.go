package subfield

// House says more of its parts than they do of themselves.
type House struct {
	// Rules for different members do not stop each other, and not the rules of the type, which come last.
	// +k8s:subfield(colour)=+k8s:required
	// +k8s:subfield(colour)=+k8s:neq="black"
	// +k8s:subfield(panes)=+k8s:maxItems=2
	// +k8s:subfield("locks")=+k8s:minimum=2
	Door Door `json:"door"`

	// A member's own rules that stop it are silent guards of what is said from outside.
	// +k8s:subfield(owner)=+k8s:neq="x"
	// +k8s:subfield(width)=+k8s:minimum=10
	// +k8s:subfield(serial)=+k8s:validateFalse="looked at"
	// +k8s:subfield(stones)=+k8s:validateFalse="looked at"
	// +k8s:subfield(ghost)=+k8s:validateFalse="looked at"
	Gate Gate `json:"gate"`

	// +k8s:optional
	// +k8s:subfield(owner)=+k8s:neq="x"
	Shed *Gate `json:"shed,omitempty"`

	// An opaque type brings no guards along.
	// +k8s:opaqueType
	// +k8s:subfield(width)=+k8s:minimum=10
	Barn Gate `json:"barn"`

	// +k8s:subfield(panes)=+k8s:eachVal=+k8s:neq="round"
	Tower Round `json:"tower"`

	// +k8s:subfield(panes)=+k8s:listType=set
	Cellar Door `json:"cellar"`
}

// Door has a rule of its own.
type Door struct {
	// +k8s:maxLength=5
	Colour string   `json:"colour,omitempty"`
	Panes  []string `json:"panes,omitempty"`
	Locks  *int32   `json:"locks,omitempty"`
}

// Gate has members with rules that stop them.
type Gate struct {
	// +k8s:required
	Owner string `json:"owner,omitempty"`

	// +k8s:optional
	Width int32 `json:"width,omitempty"`

	// +k8s:immutable
	Serial string `json:"serial,omitempty"`

	// +k8s:maxItems=1
	Stones []string `json:"stones,omitempty"`

	// +k8s:forbidden
	Ghost string `json:"ghost,omitempty"`
}

// Round has the rule on the type. Made from another type, it has that one's fields and their rules.
// +k8s:subfield(locks)=+k8s:minimum=3
type Round Door
