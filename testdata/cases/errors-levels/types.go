package levels

// All has levels with mistakes.
type All struct {
	// +k8s:alpha
	// want-above VG203 `field example.com/cases/errors-levels.All.name: tag "k8s:alpha": missing required tag value of type tag`
	// +k8s:alpha()
	// want-above VG203 `tag "k8s:alpha": missing required tag value of type tag`
	// +k8s:beta=required
	// want-above VG203 `tag "k8s:beta": tag value has wrong type: got string, want tag`
	// +k8s:beta=true
	// want-above VG203 `tag "k8s:beta": tag value has wrong type: got bool, want tag`
	// +k8s:alpha(since: 1.36)=+k8s:required
	// want-above VG102 `failed to parse tag: unexpected character '.' at position 19 (quote the value: "1.36")`
	// +k8s:alpha(since: 1)=+k8s:required
	// want-above VG202 `tag "k8s:alpha": argument "since" has wrong type: got int, want string (quote it: "1")`
	// +k8s:alpha(since: "v1.36")=+k8s:required
	// want-above VG202 `tag "k8s:alpha": invalid kubernetes version format, expected <major>.<minor>, got v1.36`
	// +k8s:beta(since: "1.36.0")=+k8s:required
	// want-above VG202 `tag "k8s:beta": invalid kubernetes version format, expected <major>.<minor>, got 1.36.0`
	// +k8s:beta(since: "")=+k8s:required
	// want-above VG202 `tag "k8s:beta": invalid kubernetes version format, expected <major>.<minor>, got `
	// +k8s:beta("1.36")=+k8s:required
	// want-above VG202 `tag "k8s:beta": unrecognized named argument "1.36"`
	// +k8s:beta(since: "1.36", until: "1.37")=+k8s:required
	// want-above VG202 `tag "k8s:beta": unrecognized named argument "until"`
	// +k8s:alpha=+k8s:nope
	// want-above VG103 `tag "k8s:alpha": unknown tag "k8s:nope" (only validation tags can be chained)`
	// +k8s:alpha=+k8s:maxItems=1
	// want-above VG204 `tag "k8s:alpha": tag "k8s:maxItems": can only be used on list types (string)`
	// +k8s:beta=+k8s:alpha=+k8s:eachVal=+k8s:required
	// want-above VG204 `tag "k8s:beta": tag "k8s:alpha": tag "k8s:eachVal": can only be used on list or map types (Builtin)`
	Name string `json:"name"`

	// +k8s:alpha=+k8s:listType=set
	// +k8s:beta=+k8s:listType=set
	// want-above VG205 `tag "k8s:beta": tag "k8s:listType": listType cannot be specified more than once`
	List []string `json:"list"`

	// +k8s:alpha=+k8s:listType=map
	// want-above VG205 `found listType=map or unique=map without listMapKey (name the member that identifies an item: +k8s:listMapKey=name)`
	Map []Item `json:"map"`

	// +k8s:beta=+k8s:update=NoAddItem
	// want-above VG205 `+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require list metadata (+k8s:listType with listMapKey, or +k8s:unique) to determine item identity (declare the identity of items: +k8s:listType=set, or +k8s:listType=map with +k8s:listMapKey)`
	Update []string `json:"update"`

	// +k8s:alpha=+k8s:ifMode("a")=+k8s:eachVal=+k8s:maxLength=1
	// want-above VG205 `tag "k8s:alpha": tag "k8s:ifMode": +k8s:eachVal has no effect under +k8s:ifMode (put the tag on the type of the field, or check it in every mode)`
	Mode []string `json:"mode"`
}

// Item is an item.
type Item struct {
	Name string `json:"name"`
}

// Word has a level on a constant.
// +k8s:enum
type Word string

const (
	// +k8s:alpha=+k8s:enumExclude
	// want-above VG201 `tag "k8s:alpha" cannot be specified on constant values (it can stand on type definitions, struct fields, list values, map keys, map values)`
	A Word = "a"
	// +k8s:beta=+k8s:ifEnabled(X)=+k8s:enumExclude
	// want-above VG201 `tag "k8s:beta" cannot be specified on constant values (it can stand on type definitions, struct fields, list values, map keys, map values)`
	B Word = "b"
	// +k8s:enumExclude=true
	// want-above VG203 `tag "k8s:enumExclude": tag value has wrong type: got bool, want  (k8s:enumExclude takes no value)`
	C Word = "c"
	// +k8s:ifEnabled=+k8s:enumExclude
	// want-above VG202 `tag "k8s:ifEnabled": missing required positional argument of type string`
	D Word = "d"
)

// Excluded is no constant.
// +k8s:enumExclude
// want-above VG201 `tag "k8s:enumExclude" cannot be specified on type definitions (it can stand on constant values)`
type Excluded string
