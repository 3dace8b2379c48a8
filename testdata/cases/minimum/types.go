package minimum

// Scale has integers of every size.
type Scale struct {
	// +k8s:minimum=1
	Int int `json:"int"`

	// +k8s:minimum=-128
	Int8 int8 `json:"int8"`

	// +k8s:minimum=-5
	Int16 int16 `json:"int16"`

	// +k8s:minimum=0
	Int32 int32 `json:"int32"`

	// +k8s:minimum=9223372036854775807
	Int64 *int64 `json:"int64,omitempty"`

	// +k8s:minimum=1
	Uint uint `json:"uint"`

	// +k8s:minimum=255
	Uint8 *uint8 `json:"uint8,omitempty"`

	// +k8s:minimum=2
	Uint16 uint16 `json:"uint16"`

	// +k8s:minimum=3
	Uint32 uint32 `json:"uint32"`

	// +k8s:minimum=9223372036854775807
	Uint64 *uint64 `json:"uint64,omitempty"`

	// +k8s:minimum=7
	Byte *byte `json:"byte,omitempty"`

	// +k8s:minimum=7
	Rune *rune `json:"rune,omitempty"`

	Grade Grade `json:"grade"`

	// +k8s:optional
	// +k8s:minimum=10
	Extra int32 `json:"extra,omitempty"`
}

// Grade has a bound of its own.
// +k8s:minimum=2
type Grade int32
