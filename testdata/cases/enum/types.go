package enum

// Lamp uses the enums below in all sorts of places.
type Lamp struct {
	Colour Colour `json:"colour"`

	// +k8s:optional
	Spare Colour `json:"spare,omitempty"`

	Last *Colour `json:"last,omitempty"`

	History []Colour `json:"history,omitempty"`

	Rooms map[string]Colour `json:"rooms,omitempty"`

	Names map[Colour]string `json:"names,omitempty"`

	Copy ColourCopy `json:"copy,omitempty"`

	// +k8s:optional
	Nothing Nothing `json:"nothing,omitempty"`

	// +k8s:optional
	Odd Odd `json:"odd,omitempty"`
}

// Colour has constants in two blocks, one of them twice, and one without export.
// +k8s:enum
type Colour string

const (
	Red   Colour = "Red"
	Green Colour = "Green"
	Lime  Colour = "Green"
	blue  Colour = "Blue"

	// Of these, the first is no Colour, and the second of another type.
	Purple            = "Purple"
	Orange ColourCopy = "Orange"
)

const Yellow = Colour("Yel" + "low")

// ColourCopy is a string, not an enum: the rules of Colour stay with Colour.
type ColourCopy Colour

// Nothing has no constants, so no value is legal.
// +k8s:enum
type Nothing string

// Odd shows how legal values are sorted and quoted.
// +k8s:enum
type Odd string

const (
	Quoted  Odd = `say "hi"`
	Umlaut  Odd = "Öl"
	Lower   Odd = "a"
	Upper   Odd = "B"
	Tab     Odd = "\t"
	Less    Odd = "<"
	None    Odd = ""
)
