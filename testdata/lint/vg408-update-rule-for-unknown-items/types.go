package robots

type Arm struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:optional
	Tool string `json:"tool,omitempty"`
	// +k8s:optional
	Serial *string `json:"serial,omitempty"`
}

// +k8s:eachVal=+k8s:immutable # // want VG408 "items of this list have no identity"
type BadSerials []string

type Bad struct {
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:immutable # // want VG408 "once the list changes at all, every item is refused (give the items an identity with +k8s:listType=map, or put the tag on the list itself)"
	Atomic []string `json:"atomic,omitempty"`

	// +k8s:optional
	// +k8s:beta=+k8s:eachVal=+k8s:immutable # // want VG408 "no identity"
	Untold []Arm `json:"untold,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:update=NoModify # // want VG408 `have no old value, so +k8s:update="NoModify" cannot tell what has changed`
	Update []string `json:"update,omitempty"`
}

// +k8s:listType=map
// +k8s:listMapKey=name
type Arms []Arm

type Good struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:immutable
	Map []Arm `json:"map,omitempty"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:update=NoModify
	Unique []Arm `json:"unique,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:immutable
	Typed Arms `json:"typed,omitempty"`

	// Values of a map have their keys.
	// +k8s:optional
	// +k8s:eachVal=+k8s:immutable
	Table map[string]string `json:"table,omitempty"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:immutable
	Whole []string `json:"whole,omitempty"`
}
