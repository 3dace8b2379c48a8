package robots

// +k8s:enum
type Color string

const Red Color = "red"

type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Plain struct {
	Name string `json:"name"`
}

type Node struct {
	// +k8s:optional
	Next *Node `json:"next,omitempty"`
}

// +k8s:eachVal=+k8s:opaqueType
type OpaqueArms []Arm

type Arms []Arm

type BadDirect struct {
	// +k8s:minimum=2
	Wheels *int32 `json:"wheels,omitempty"` // want VG403 "field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden (add +k8s:optional, because it may be left out)"

	// +k8s:maxLength=16
	Name string `json:"name"` // want VG403 "(add +k8s:required, unless it may be left out)"

	// +optional
	// +k8s:alpha=+k8s:eachVal=+k8s:maxLength=16
	Labels []string `json:"labels"` // want VG403 "(add +k8s:optional"

	// What only informs other tags counts too.
	// +k8s:listType=atomic
	Tools []string `json:"tools"` // want VG403 "field with validation"
}

type BadTransitive struct {
	Arm   *Arm           `json:"arm,omitempty"` // want VG403 "BadTransitive.arm: field with validation"
	Arms  []Arm          `json:"arms"`          // want VG403 "BadTransitive.arms: field with validation"
	Named Arms           `json:"named"`         // want VG403 "BadTransitive.named: field with validation"
	Keys  map[Color]bool `json:"keys"`          // want VG403 "BadTransitive.keys: field with validation"
	Color Color          `json:"color"`         // want VG403 "BadTransitive.color: field with validation"
}

type Good struct {
	// +k8s:optional
	// +k8s:minimum=2
	Wheels *int32 `json:"wheels,omitempty"`

	// A struct by value cannot be unset.
	Arm Arm `json:"arm"`

	// +k8s:opaqueType
	Opaque *Arm `json:"opaque,omitempty"`

	// +k8s:eachVal=+k8s:opaqueType
	OpaqueItems []Arm `json:"opaqueItems"`

	// +k8s:eachKey=+k8s:opaqueType
	OpaqueKeys map[Color]bool `json:"opaqueKeys"`

	OpaqueArms OpaqueArms `json:"opaqueArms"`

	// There is nothing to check.
	Plain *Plain `json:"plain,omitempty"`
	Node  *Node  `json:"node,omitempty"`
	Note  string `json:"note"`

	// +k8s:ifEnabled(Paint)=+k8s:required
	// +k8s:ifDisabled(Paint)=+k8s:forbidden
	Color Color `json:"color,omitempty"`
}
