package validatefalse

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Everything has a field of every kind, each of which fails. Values are printed as JSON.
// +k8s:validateFalse="type Everything"
type Everything struct {
	// +k8s:validateFalse="string"
	String string `json:"string"`

	// +k8s:validateFalse
	Pointer *string `json:"pointer"`

	// +k8s:validateFalse="int"
	Int int `json:"int"`

	// +k8s:validateFalse="float"
	Float float64 `json:"float"`

	// +k8s:validateFalse="bool"
	Bool bool `json:"bool"`

	// +k8s:validateFalse="list"
	List []int32 `json:"list"`

	// +k8s:validateFalse="map"
	Map map[string]int32 `json:"map"`

	// +k8s:validateFalse="bytes"
	Bytes []byte `json:"bytes"`

	// +k8s:validateFalse="struct"
	Struct Part `json:"struct"`

	// +k8s:validateFalse="struct behind a pointer"
	PointerToStruct *Part `json:"pointerToStruct"`

	// The rule of the field comes before the one of its type.
	// +k8s:validateFalse="named"
	Named Named `json:"named"`

	// +k8s:validateFalse="quantity"
	Quantity resource.Quantity `json:"quantity"`

	// +k8s:validateFalse="time"
	Time metav1.Time `json:"time"`

	// +k8s:validateFalse="int or string"
	IntOrString intstr.IntOrString `json:"intOrString"`
}

// Part has members that encoding leaves out, and one that it does not.
type Part struct {
	A string   `json:"a"`
	B string   `json:"b,omitempty"`
	C *Part    `json:"c,omitempty"`
	D []string `json:"d"`
	e string
	F string `json:"-"`
	Part2 `json:",inline"`
}

// Part2 is inlined.
type Part2 struct {
	G map[string]string `json:"g"`
	H bool              `json:"h,omitzero"`
}

// Named fails by itself.
// +k8s:validateFalse="type Named"
type Named string

// Flags shows what the arguments do.
type Flags struct {
	// Rules that stop a field come first, all of them, whatever their order.
	// +k8s:validateFalse="3: not reached"
	// +k8s:validateFalse(flags: "ShortCircuit")="1"
	// +k8s:validateFalse(flags: "ShortCircuit")="2"
	Stop Named `json:"stop"`

	// A silent failure stops the others and is not reported.
	// +k8s:validateFalse(flags: "ShortCircuit, NonError")="silent"
	// +k8s:validateFalse="not reached"
	Silent Named `json:"silent"`

	// A silent failure that stops nothing is nothing.
	// +k8s:validateFalse(flags: "NonError")="silent"
	// +k8s:validateFalse="reached"
	Nothing string `json:"nothing"`

	// Cohorts do not stop each other. They come after the rules that are in none.
	// +k8s:validateFalse(flags: "ShortCircuit", cohort: "b")="b1"
	// +k8s:validateFalse(cohort: "b")="b2: not reached"
	// +k8s:validateFalse(cohort: "a")="a"
	// +k8s:validateFalse="default"
	Cohorts Named `json:"cohorts"`

	// The default cohort stops the named ones.
	// +k8s:validateFalse(flags: "ShortCircuit", typeArg: "string")="default"
	// +k8s:validateFalse(cohort: "a")="not reached"
	Default Named `json:"default"`
}
