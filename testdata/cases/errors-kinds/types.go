package kinds

// All has tags on the wrong types.
type All struct {
	// +k8s:minimum=1
	// want-above VG204 `field example.com/cases/errors-kinds.All.string: tag "k8s:minimum": can only be used on integer types (string)`
	// +k8s:maxItems=1
	// want-above VG204 `tag "k8s:maxItems": can only be used on list types (string)`
	// +k8s:eachVal=+k8s:maxLength=1
	// want-above VG204 `tag "k8s:eachVal": can only be used on list or map types (Builtin)`
	// +k8s:eachKey=+k8s:maxLength=1
	// want-above VG204 `tag "k8s:eachKey": can only be used on map types (Builtin)`
	// +k8s:listType=set
	// want-above VG204 `tag "k8s:listType": can only be used on list types (Builtin)`
	// +k8s:listMapKey=a
	// want-above VG204 `tag "k8s:listMapKey": can only be used on list types (Builtin)`
	// +k8s:item(a: "b")=+k8s:immutable
	// want-above VG204 `tag "k8s:item": can only be used on list types`
	// +k8s:subfield(a)=+k8s:required
	// want-above VG204 `tag "k8s:subfield": can only be used on struct types: Builtin`
	String string `json:"string"`

	// +k8s:maxLength=1
	// want-above VG204 `tag "k8s:maxLength": can only be used on string types (int32)`
	// +k8s:format=k8s-uuid
	// want-above VG204 `tag "k8s:format": can only be used on string types (int32)`
	// +k8s:unionDiscriminator
	// want-above VG204 `tag "k8s:unionDiscriminator": can only be used on string types (int32)`
	Number int32 `json:"number"`

	// +k8s:minimum=1
	// want-above VG204 `tag "k8s:minimum": can only be used on integer types (float64)`
	// +k8s:neq=1
	// want-above VG204 `tag "k8s:neq": unsupported type for 'neq' tag: float64`
	Float float64 `json:"float"`

	// +k8s:maxLength=1
	// want-above VG204 `tag "k8s:maxLength": can only be used on string types (`
	// +k8s:neq="a"
	// want-above VG204 `tag "k8s:neq": can only be used on comparable types (e.g. string, int, bool), but got `
	// +k8s:eachKey=+k8s:maxLength=1
	// want-above VG204 `tag "k8s:eachKey": can only be used on map types (Slice)`
	// +k8s:eachVal=+k8s:minimum=1
	// want-above VG204 `tag "k8s:eachVal": tag "k8s:minimum": can only be used on integer types (string)`
	List []string `json:"list"`

	// +k8s:maxItems=1
	// want-above VG204 `tag "k8s:maxItems": can only be used on list types (`
	// +k8s:listType=atomic
	// want-above VG204 `tag "k8s:listType": can only be used on list types (Map)`
	// +k8s:eachVal=+k8s:format=k8s-uuid
	// want-above VG204 `tag "k8s:eachVal": tag "k8s:format": can only be used on string types (int64)`
	// +k8s:eachKey=+k8s:minimum=1
	// want-above VG204 `tag "k8s:eachKey": tag "k8s:minimum": can only be used on integer types (string)`
	Map map[string]int64 `json:"map"`

	// +k8s:maxLength=1
	// want-above VG204 `tag "k8s:maxLength": can only be used on string types (`
	Struct Part `json:"struct"`

	// +k8s:minimum=1
	// want-above VG204 `tag "k8s:minimum": can only be used on integer types (`
	Word *Word `json:"word"`
}

// Part is a struct.
type Part struct{}

// Word is a string, through another type.
type Word Other

// Other is a string.
type Other string

// Number is no enum.
// +k8s:enum
// want-above VG204 `example.com/cases/errors-kinds.Number: tag "k8s:enum": can only be used on string types (`
type Number int32
