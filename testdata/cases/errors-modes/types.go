package modes

// All has discriminators and members with mistakes.
type All struct {
	// +k8s:modeDiscriminator
	// want-above VG204 `field example.com/cases/errors-modes.All.pointer: tag "k8s:modeDiscriminator": can only be used on non-pointer types`
	Pointer *string `json:"pointer"`

	// +k8s:modeDiscriminator
	// want-above VG204 `tag "k8s:modeDiscriminator": can only be used on string or bool types (int32)`
	Number int32 `json:"number"`

	// +k8s:modeDiscriminator
	// want-above VG204 `tag "k8s:modeDiscriminator": can only be used on string or bool types ([]string)`
	List []string `json:"list"`

	// +k8s:modeDiscriminator(modality: "default")
	// want-above VG202 `tag "k8s:modeDiscriminator": discriminator group name "default" is reserved`
	Reserved string `json:"reserved"`

	// +k8s:modeDiscriminator(modality: "1st")
	// want-above VG202 `tag "k8s:modeDiscriminator": discriminator group name must match ^[a-zA-Z][a-zA-Z0-9_]*$, got "1st"`
	Digit string `json:"digit"`

	// +k8s:modeDiscriminator(modality: "a-b")
	// want-above VG202 `tag "k8s:modeDiscriminator": discriminator group name must match ^[a-zA-Z][a-zA-Z0-9_]*$, got "a-b"`
	Dash string `json:"dash"`

	// +k8s:modeDiscriminator(modality: 5)
	// want-above VG202 `tag "k8s:modeDiscriminator": argument "modality" has wrong type: got int, want string (quote it: "5")`
	// +k8s:modeDiscriminator("a")
	// want-above VG202 `tag "k8s:modeDiscriminator": unrecognized named argument "a"`
	// +k8s:modeDiscriminator=+k8s:required
	// want-above VG203 `tag "k8s:modeDiscriminator": tag value has wrong type: got tag, want  (k8s:modeDiscriminator takes no value)`
	Args string `json:"args"`

	// +k8s:modeDiscriminator
	First string `json:"first"`

	// +k8s:modeDiscriminator
	// want-above VG205 `tag "k8s:modeDiscriminator": duplicate discriminator: ""`
	Second string `json:"second"`

	// +k8s:modeDiscriminator(modality: "two")
	Third bool `json:"third"`

	// +k8s:modeDiscriminator(modality: "two")
	// want-above VG205 `tag "k8s:modeDiscriminator": duplicate discriminator: "two"`
	Fourth bool `json:"fourth"`
}

// Members has rules for modes with mistakes.
type Members struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`

	// +k8s:ifMode("a")
	// want-above VG203 `tag "k8s:ifMode": missing required tag value of type tag`
	// +k8s:ifMode=+k8s:required
	// want-above VG202 `tag "k8s:ifMode": missing required mode`
	// +k8s:ifMode(modality: "x")=+k8s:required
	// want-above VG202 `tag "k8s:ifMode": missing required mode`
	// +k8s:ifMode(true)=+k8s:required
	// want-above VG202 `tag "k8s:ifMode": argument "true" has wrong type: got bool, want string (quote it: "true")`
	// +k8s:ifMode(value: "a")=+k8s:required
	// want-above VG202 `tag "k8s:ifMode": unrecognized named argument "value"`
	// +k8s:ifMode(mode: "a", modality: "default")=+k8s:required
	// want-above VG202 `tag "k8s:ifMode": discriminator group name "default" is reserved`
	// +k8s:ifMode("a")=required
	// want-above VG203 `tag "k8s:ifMode": tag value has wrong type: got string, want tag`
	// +k8s:ifMode("a")=+k8s:nope
	// want-above VG103 `tag "k8s:ifMode": unknown tag "k8s:nope" (only validation tags can be chained)`
	// +k8s:ifMode("a")=+k8s:maxItems=1
	// want-above VG204 `tag "k8s:ifMode": tag "k8s:maxItems": can only be used on list types (string)`
	Text string `json:"text"`

	// What such tags would do is dropped by upstream without a word.
	// +k8s:ifMode("a")=+k8s:eachVal=+k8s:maxLength=1
	// want-above VG205 `tag "k8s:ifMode": +k8s:eachVal has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	// +k8s:ifMode("a")=+k8s:listType=set
	// want-above VG205 `tag "k8s:ifMode": +k8s:listType has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	// +k8s:ifMode("a")=+k8s:update=NoSet
	// want-above VG205 `tag "k8s:ifMode": +k8s:update has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	List []string `json:"list"`

	// +k8s:ifMode("a")=+k8s:subfield(name)=+k8s:required
	// want-above VG205 `tag "k8s:ifMode": +k8s:subfield has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	// +k8s:ifMode("a")=+k8s:unionMember
	// want-above VG205 `tag "k8s:ifMode": +k8s:unionMember has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	// +k8s:ifMode("a")=+k8s:dependentRequired("text")
	// want-above VG205 `tag "k8s:ifMode": +k8s:dependentRequired has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	// +k8s:ifMode("a")=+k8s:ifMode("b")=+k8s:required
	// want-above VG205 `tag "k8s:ifMode": +k8s:ifMode has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	Part *Part `json:"part"`
}

// Part has a name.
type Part struct {
	Name string `json:"name"`
}

// NoDiscriminator lacks one.
type NoDiscriminator struct {
	// +k8s:ifMode("a")=+k8s:required
	// want-above VG205 `missing discriminator (put +k8s:modeDiscriminator on the field that selects the mode)`
	Text string `json:"text"`
}

// NoNamedDiscriminator lacks one with a name.
type NoNamedDiscriminator struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`

	// +k8s:ifMode(mode: "a", modality: "other")=+k8s:required
	// want-above VG205 `missing discriminator for group "other" (put +k8s:modeDiscriminator on the field that selects the mode)`
	Text string `json:"text"`
}

// Bool has modes that are no booleans.
type Bool struct {
	// +k8s:modeDiscriminator
	Mode bool `json:"mode"`

	// +k8s:ifMode("yes")=+k8s:required
	// want-above VG202 `invalid discriminator value "yes": cannot parse "yes" as bool (the modes of a boolean are "true" and "false", with quotes)`
	Text string `json:"text"`
}

// Struct has a member that is a struct by value.
type Struct struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`

	// +k8s:ifMode("a")=+k8s:immutable
	// want-above VG204 `discriminated member fields of struct type must be pointers`
	Part Part `json:"part"`
}

// Type can have no mode.
// +k8s:modeDiscriminator
// want-above VG201 `tag "k8s:modeDiscriminator" cannot be specified on type definitions (it can stand on struct fields)`
// +k8s:ifMode("a")=+k8s:immutable
// want-above VG201 `tag "k8s:ifMode" cannot be specified on type definitions (it can stand on struct fields)`
type Type string

// Elements can have no mode either.
type Elements struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`

	// +k8s:eachVal=+k8s:ifMode("a")=+k8s:maxLength=1
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:ifMode" cannot be specified on list values (it can stand on struct fields)`
	// +k8s:eachVal=+k8s:modeDiscriminator
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:modeDiscriminator" cannot be specified on list values (it can stand on struct fields)`
	List []string `json:"list"`
}
