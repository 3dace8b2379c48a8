package unions

// Members has members that cannot be unset, or that have no name.
type Members struct {
	// +k8s:unionMember
	// want-above VG204 `field example.com/cases/errors-unions.Members.struct: tag "k8s:unionMember": can only be used on nilable and primitive types (Struct)`
	Struct Part `json:"struct"`

	// +k8s:zeroOrOneOfMember
	// want-above VG204 `tag "k8s:zeroOrOneOfMember": can only be used on nilable and primitive types (Struct)`
	Other Part `json:"other"`

	// +k8s:unionMember
	// want-above VG205 `tag "k8s:unionMember": field "Nameless" is a union member but has no JSON name`
	Nameless *string `json:"-"`
}

// Discriminators has discriminators of wrong types.
type Discriminators struct {
	// +k8s:unionDiscriminator
	// want-above VG204 `tag "k8s:unionDiscriminator": can only be used on string types (bool)`
	Flag bool `json:"flag"`

	// +k8s:unionDiscriminator(union: "b")
	// want-above VG204 `tag "k8s:unionDiscriminator": can only be used on string types (`
	List []string `json:"list"`

	// +k8s:unionDiscriminator(union: "c")
	// want-above VG204 `tag "k8s:unionDiscriminator": can only be used on strings that are no pointers`
	Pointer *string `json:"pointer"`

	// +k8s:zeroOrOneOfMember=name
	// want-above VG203 `tag "k8s:zeroOrOneOfMember": tag value has wrong type: got string`
	Payload *string `json:"payload"`
}

// Twice has a member that is in its union two times.
type Twice struct {
	// +k8s:unionMember
	// +k8s:unionMember(memberName: "a")
	// want-above VG205 `tag "k8s:unionMember": union member "a" already exists`
	A *string `json:"a"`
	// +k8s:unionMember
	B *string `json:"b"`
}

// Lists has members that are items.
type Lists struct {
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:unionMember
	// +k8s:item(name: "a")=+k8s:unionMember
	// want-above VG205 `list-item union member "list[{"name": "a"}]" already exists`
	// +k8s:eachVal=+k8s:unionMember
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:unionMember": list-item union member has no list selector in context`
	List []Part `json:"list"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:unionDiscriminator
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:unionDiscriminator": can only be used on struct fields`
	// +k8s:item(name: "a")=+k8s:unionDiscriminator
	// want-above VG201 `tag "k8s:item": tag "k8s:unionDiscriminator": can only be used on struct fields`
	Other []Part `json:"other"`
}

// Part is a struct.
type Part struct {
	Name string `json:"name"`
}
