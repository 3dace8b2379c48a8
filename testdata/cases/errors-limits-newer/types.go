package limitsnewer

// All has limits of the wrong things, and with the wrong numbers.
type All struct {
	// +k8s:minItems=1
	// +k8s:minProperties=1
	// +k8s:maxProperties=1
	// +k8s:maximum=1
	// +k8s:maxBytes=-1
	// +k8s:maxBytes=+5
	// +k8s:maxBytes=0x5
	// +k8s:maxBytes=many
	// +k8s:maxBytes
	// +k8s:minLength=01
	// +k8s:minLength="1"
	String string `json:"string"`

	// +k8s:minLength=1
	// +k8s:maxBytes=1
	// +k8s:maximum=2147483648
	// +k8s:maximum=01
	// +k8s:maximum=0b1
	// +k8s:maximum=high
	// +k8s:maximum(1)=1
	Int32 int32 `json:"int32"`

	// +k8s:maximum=128
	Int8 int8 `json:"int8"`

	// +k8s:maximum=256
	// +k8s:maximum=-1
	Byte byte `json:"byte"`

	// +k8s:maximum=9223372036854775808
	Int64 int64 `json:"int64"`

	// +k8s:maximum=1
	Float float64 `json:"float"`

	// +k8s:minItems=-1
	// +k8s:minItems=007
	// +k8s:minProperties=1
	// +k8s:maxBytes=1
	// +k8s:eachVal=+k8s:minItems=1
	// +k8s:eachVal=+k8s:maxProperties=1
	List []string `json:"list"`

	// +k8s:minItems=1
	// +k8s:maxProperties=-1
	// +k8s:maxProperties=100001
	// +k8s:minProperties=100001
	// +k8s:minProperties=1_0
	// +k8s:eachKey=+k8s:minItems=1
	// +k8s:eachKey=+k8s:minProperties=1
	// +k8s:eachVal=+k8s:minLength=0
	Map map[string]string `json:"map"`

	// +k8s:maxProperties=1
	Numbers map[int32]string `json:"numbers"`

	// +k8s:minProperties=1
	Struct Part `json:"struct"`
}

// Part is a struct.
type Part struct {
	Name string `json:"name"`
}

// Words is no map.
// +k8s:maxProperties=1
type Words []string
