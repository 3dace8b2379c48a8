package lost

import "example.com/elsewhere/paint"

// Wall has the fields of a type that cannot be found. Inline has no name: no field is called "Colour".
type Wall struct {
	paint.Colour `json:",inline"`

	// +k8s:required
	Height int32 `json:"height"`
}

// Fence has them through a pointer, and without a JSON tag.
type Fence struct {
	*paint.Colour

	Wall `json:",inline"`
}

// Varnish is a type of its own with unknown fields.
type Varnish paint.Colour

// Door names none, as tags say what is meant, or asks what nobody can answer.
type Door struct {
	// +k8s:required
	Varnish `json:",inline"`

	// +k8s:opaqueType
	paint.Glaze `json:",inline"`

	// +k8s:opaqueType
	// +k8s:immutable
	paint.Lacquer `json:",inline"`

	// Under a name it is a field like all others.
	// +k8s:required
	// +k8s:opaqueType
	paint.Primer `json:"primer"`

	paint.Mix[string] `json:",inline"`
}
