package embedded

import "example.com/cases/shape-embedded/parts"

// Animal embeds in all the ways that there are. In paths an inlined struct is nothing, except at the very beginning: there
// its type's name stands.
type Animal struct {
	// +k8s:subfield(legs)=+k8s:neq=13
	// +k8s:validateFalse="body"
	Body `json:",inline"`

	// Without a tag it is the same.
	Coat

	// With a name it is a member like any other.
	Voice `json:"voice"`

	// An inlined pointer is null unless one of its members is there.
	*Tail `json:",inline"`

	parts.Wing `json:",inline"`

	// The name of the outer struct wins. The inlined one still has its rule, and sees nothing.
	// +k8s:maxLength=3
	Colour string `json:"colour,omitempty"`

	Mate *Animal `json:"mate,omitempty"`

	// Not part of the JSON at all, so it is always unset. Having no name, it has its type's in paths.
	// +k8s:required
	Secret string `json:"-"`
}

// Body has a struct inside itself, too.
type Body struct {
	// +k8s:minimum=1
	Legs int32 `json:"legs,omitempty"`

	// +k8s:neq=""
	Colour string `json:"colour,omitempty"`

	Inner `json:",inline"`
}

// Inner is two structs deep.
type Inner struct {
	// +k8s:maxLength=2
	Blood string `json:"blood,omitempty"`
}

// Coat is inlined for want of a tag.
type Coat struct {
	// +k8s:maxItems=1
	Stripes []string `json:"stripes,omitempty"`
}

// Voice is embedded under a name.
type Voice struct {
	// +k8s:required
	Sound string `json:"sound,omitempty"`
}

// Tail is behind a pointer.
type Tail struct {
	// +k8s:minimum=1
	Length int32 `json:"length,omitempty"`
	Curl   int32 `json:"curl,omitempty"`
}

// Twins embeds two structs with the same name in them, so that JSON knows neither.
type Twins struct {
	Left  `json:",inline"`
	Right `json:",inline"`
}

// Left has a size.
type Left struct {
	// +k8s:minimum=1
	Size int32 `json:"size"`
}

// Right has a size.
type Right struct {
	// +k8s:minimum=2
	Size int32 `json:"size"`
	// +k8s:minimum=3
	Depth int32 `json:"depth"`
}

// Pair is a union inside a struct.
type Pair struct {
	Either `json:",inline"`
	Nested struct{} `json:"nested"`
}

// Either has no path of its own.
type Either struct {
	// +k8s:unionMember
	A *string `json:"a,omitempty"`
	// +k8s:unionMember
	B *string `json:"b,omitempty"`
}

// Holder holds a struct that inlines others.
type Holder struct {
	Pair  Pair  `json:"pair"`
	Twins Twins `json:"twins"`
}
