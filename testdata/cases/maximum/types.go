package maximum

// Scale has integers of every size.
type Scale struct {
	// +k8s:maximum=1
	Int int `json:"int"`

	// +k8s:maximum=-127
	Int8 *int8 `json:"int8,omitempty"`

	// +k8s:maximum=-5
	Int16 int16 `json:"int16"`

	// +k8s:maximum=0
	Int32 int32 `json:"int32"`

	// +k8s:maximum=-9223372036854775808
	Int64 *int64 `json:"int64,omitempty"`

	// +k8s:maximum=1
	Uint uint `json:"uint"`

	// +k8s:maximum=254
	Uint8 uint8 `json:"uint8"`

	// +k8s:maximum=2
	Uint16 uint16 `json:"uint16"`

	// +k8s:maximum=3
	Uint32 uint32 `json:"uint32"`

	// +k8s:maximum=9223372036854775807
	Uint64 uint64 `json:"uint64"`

	// +k8s:maximum=7
	Byte *byte `json:"byte,omitempty"`

	// +k8s:maximum=7
	Rune rune `json:"rune"`

	Grade Grade `json:"grade"`

	// An unset number is not too large, unless it is one.
	// +k8s:optional
	// +k8s:maximum=-10
	Extra int32 `json:"extra,omitempty"`

	// A range: neither bound stops the other.
	// +k8s:maximum=3
	// +k8s:minimum=5
	Never *int32 `json:"never,omitempty"`

	// +k8s:eachVal=+k8s:maximum=2
	List []int64 `json:"list,omitempty"`

	// +k8s:eachVal=+k8s:maximum=2
	Map map[string]Grade `json:"map,omitempty"`
}

// Grade has a bound of its own.
// +k8s:maximum=6
type Grade int32
