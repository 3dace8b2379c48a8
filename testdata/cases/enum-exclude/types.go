package enumexclude

// Lamp uses the enums below.
type Lamp struct {
	// +k8s:optional
	Colour Colour `json:"colour,omitempty"`

	// +k8s:optional
	Shape *Shape `json:"shape,omitempty"`

	Size Size `json:"size,omitempty"`

	History []Shape `json:"history,omitempty"`

	Rooms map[Shape]Shape `json:"rooms,omitempty"`

	// +k8s:optional
	Nothing Nothing `json:"nothing,omitempty"`

	// +k8s:optional
	Twin Twin `json:"twin,omitempty"`

	// +k8s:optional
	Only Only `json:"only,omitempty"`
}

// Colour lacks two constants. One that is excluded under one name is still there under another.
// +k8s:enum
type Colour string

const (
	Red Colour = "Red"
	// Blue is gone.
	// +k8s:enumExclude
	Blue Colour = "Blue"
	// +k8s:enumExclude
	Green Colour = "Green"
	Lime  Colour = "Green"
)

// Shape has constants that depend on options; Round depends on two of them, and one is enough to rule it out.
// +k8s:enum
type Shape string

const (
	Flat Shape = "Flat"
	// +k8s:ifEnabled(New)=+k8s:enumExclude
	Old Shape = "Old"
	// +k8s:ifDisabled(New)=+k8s:enumExclude
	New Shape = "New"
	// +k8s:ifDisabled(New)=+k8s:enumExclude
	// +k8s:ifEnabled(Square)=+k8s:enumExclude
	Round Shape = "Round"
)

// Size has constants that depend on an option, and the empty string is one of them.
// +k8s:enum
type Size string

const (
	// +k8s:ifEnabled(New)=+k8s:enumExclude
	Unset Size = ""
	Large Size = "L"
)

// Twin has pairs of equal constants. Of each, the one with the longer comment counts, or else the one with the lesser
// comment, and the other one rules nothing out.
// +k8s:enum
type Twin string

const (
	// +k8s:ifEnabled(New)=+k8s:enumExclude
	TwinA Twin = "longer"
	// TwinB has no options, but it has a comment with more characters.
	TwinB Twin = "longer"

	// +k8s:ifEnabled(New)=+k8s:enumExclude
	TwinC Twin = "excluded"
	TwinD Twin = "excluded"

	// +k8s:ifEnabled(New)=+k8s:enumExclude
	TwinE Twin = "equal"
	// *k8s:ifEnabled(New)=+k8s:enumExclude
	TwinF Twin = "equal"

	// +k8s:ifDisabled(New)=+k8s:enumExclude
	TwinG Twin = "state"
	// +k8s:ifEnabled(New)=+k8s:enumExclude
	//
	TwinH Twin = "state"

	// ööööööööööööööööööööööööööö
	TwinI Twin = "bytes"
	// +k8s:ifEnabled(New)=+k8s:enumExclude
	TwinJ Twin = "bytes"
)

// Only has one constant, which either of two options rules out. Rules are read by the state that rules out, then by option.
// +k8s:enum
type Only string

const (
	// +k8s:ifEnabled(Beta)=+k8s:enumExclude
	// +k8s:ifEnabled(Alpha)=+k8s:enumExclude
	One Only = "One"
)

// Nothing has no constants left.
// +k8s:enum
type Nothing string

const (
	// +k8s:enumExclude
	Something Nothing = "Something"
)
