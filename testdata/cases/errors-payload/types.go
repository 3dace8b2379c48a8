package payload

// All has wrong payloads, missing ones and ones that should not be there.
type All struct {
	// +k8s:required=yes
	// want-above VG203 `field example.com/cases/errors-payload.All.name: tag "k8s:required": tag value has wrong type: got string, want  (k8s:required takes no value)`
	// +k8s:optional=true
	// want-above VG203 `tag "k8s:optional": tag value has wrong type: got bool, want `
	// +k8s:immutable=+k8s:required
	// want-above VG203 `tag "k8s:immutable": tag value has wrong type: got tag, want `
	// +k8s:maxLength=long
	// want-above VG203 `tag "k8s:maxLength": tag value has wrong type: got string, want int (for example: +k8s:maxLength=63)`
	// +k8s:maxLength="5"
	// want-above VG203 `tag "k8s:maxLength": tag value has wrong type: got string, want int`
	// +k8s:maxLength=+k8s:minimum=1
	// want-above VG203 `tag "k8s:maxLength": tag value has wrong type: got tag, want int`
	// +k8s:maxLength
	// want-above VG203 `tag "k8s:maxLength": missing required tag value of type int (for example: +k8s:maxLength=63)`
	// +k8s:format
	// want-above VG203 `tag "k8s:format": missing required tag value of type string`
	// +k8s:format=5
	// want-above VG203 `tag "k8s:format": tag value has wrong type: got int, want string`
	// +k8s:format=k8s-shortname
	// want-above VG203 `tag "k8s:format": unsupported validation format "k8s-shortname" (did you mean k8s-short-name?)`
	// +k8s:format=regex
	// want-above VG203 `tag "k8s:format": unsupported validation format "regex" (the formats are k8s-extended-resource-name, k8s-ip`
	// +k8s:neq
	// want-above VG203 `tag "k8s:neq": missing required tag value of type `
	// +k8s:neq=1
	// want-above VG203 `tag "k8s:neq": type mismatch: field is a string, but payload is of type int (quote it: "1")`
	// +k8s:neq=true
	// want-above VG203 `tag "k8s:neq": type mismatch: field is a string, but payload is of type bool (quote it: "true")`
	Name string `json:"name"`

	// +k8s:minimum=low
	// want-above VG203 `tag "k8s:minimum": tag value has wrong type: got string, want int`
	// +k8s:minimum=true
	// want-above VG203 `tag "k8s:minimum": tag value has wrong type: got bool, want int`
	// +k8s:neq="1"
	// want-above VG203 `tag "k8s:neq": type mismatch: field is an integer, but payload is of type string`
	// +k8s:neq=0x10
	// want-above VG203 `tag "k8s:neq": invalid integer value for payload: parsing "0x10" as int: invalid syntax`
	Number int32 `json:"number"`

	// +k8s:neq=yes
	// want-above VG203 `tag "k8s:neq": type mismatch: field is a bool, but payload is of type string`
	// +k8s:neq=0
	// want-above VG203 `tag "k8s:neq": type mismatch: field is a bool, but payload is of type int`
	Flag bool `json:"flag"`

	// +k8s:eachVal
	// want-above VG203 `tag "k8s:eachVal": missing required tag value of type tag`
	// +k8s:eachVal=5
	// want-above VG203 `tag "k8s:eachVal": tag value has wrong type: got int, want tag`
	// +k8s:eachVal=k8s:maxLength
	// want-above VG102 `field example.com/cases/errors-payload.All.list: failed to parse tag: unexpected character ':'`
	// +k8s:eachVal=+k8s:maxLength=x
	// want-above VG203 `tag "k8s:eachVal": tag "k8s:maxLength": tag value has wrong type: got string, want int`
	// +k8s:listType
	// want-above VG203 `tag "k8s:listType": missing required tag value of type string`
	// +k8s:maxItems=many
	// want-above VG203 `tag "k8s:maxItems": tag value has wrong type: got string, want int`
	List []string `json:"list"`

	// +k8s:eachKey=""
	// want-above VG203 `tag "k8s:eachKey": tag value has wrong type: got string, want tag`
	// +k8s:ifEnabled(X)
	// want-above VG203 `tag "k8s:ifEnabled": missing required tag value of type tag`
	// +k8s:ifDisabled(X)=false
	// want-above VG203 `tag "k8s:ifDisabled": tag value has wrong type: got bool, want tag`
	Map map[string]string `json:"map"`

	// +k8s:subfield(name)
	// want-above VG203 `tag "k8s:subfield": missing required tag value of type tag`
	// +k8s:opaqueType=true
	// want-above VG203 `tag "k8s:opaqueType": tag value has wrong type: got bool, want `
	Other *All `json:"other"`
}

// Word takes no payload for its tag.
// +k8s:enum="a"
// want-above VG203 `example.com/cases/errors-payload.Word: tag "k8s:enum": tag value has wrong type: got string, want `
type Word string
