package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapkey=name
	// want-above VG103 `did you mean +k8s:listMapKey?`
	Arms []Arm `json:"arms,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=nmae
	// want-above VG203 `did you mean name?`
	Legs []Arm `json:"legs,omitempty"`

	// +k8s:optionl
	// want-above VG103 `did you mean +k8s:optional?`
	// +k8s:maxLength=5
	Name *string `json:"name,omitempty"`
}

type Arm struct {
	// +k8s:required
	// +kubebuilder:validation:MaxLenght=5
	// want-above VG521 `did you mean +kubebuilder:validation:MaxLength?`
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
}

// +k8s:maxLength=5
// want-above VG201 `belongs to no declaration`

// Alone is used by nobody, and nobody has asked for it.
type Alone struct {
	// +k8s:maxLenght=5
	// want-above VG103 `did you mean +k8s:maxLength?`
	Name string `json:"name"`

	// +k8s:maxItems=many
	// want-above VG203 `got string, want int`
	// +k8s:eachVal=+k8s:format=dns
	// want-above VG203 `unsupported validation format`
	Items []string `json:"items"`

	// +k8s:immutable
	Right string `json:"right"`
}

type Leg struct {
	// +k8s:minimum=1
	// want-above VG201 `belongs to no declaration`

	Length int32 `json:"length"`

	// +k8s:minimum=1
	// want-above VG201 `belongs to no declaration`
	hidden int32

	Height int32 `json:"height"` // +k8s:minimum=3
	// want-above VG201 `belongs to no declaration`

	// +k8s:maxLenght=3
	// want-above VG201 `belongs to no declaration`
}

// +k8s:enum
type Side string

const (
	Left Side = "left" // +k8s:minLength=1
	// want-above VG201 `belongs to no declaration`
)

// In a function, and above one, a comment is one about code, such as
// +k8s:minLength and what it does.
func side() Side {
	// +k8s:minLength=1
	return Left
}

// Tags that do not begin like tags.
type Prose struct {
	// +K8s:maxLength=5
	// want-above VG103 `did you mean +k8s:maxLength?`
	// +ks8:optional
	// want-above VG103 `did you mean +k8s:optional?`
	// + k8s:immutable
	// want-above VG103 `did you mean +k8s:immutable?`
	// k8s:format=k8s-uuid
	// want-above VG103 `did you mean +k8s:format?`
	// +k8s.minLength=1
	// want-above VG103 `did you mean +k8s:minLength?`
	// k8s:optional fields may be left out, and this is prose.
	Name string `json:"name"`
}

// Pair has its fields on the line that it begins on.
// +k8s:immutable
// want-above VG201 `is above several declarations on one line, and belongs to all of them`
// want-above VG201 `begin a new line`
type Pair struct { First string `json:"first"`; Second string `json:"second"` }
