// Package kinds has kinds of members that say more than one thing at once, for comparisons of schemas with validators.
// +k8s:validation-gen=TypeMeta
// +groupName=kinds.example.com
package kinds

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Robot has lists and maps whose items are judged through them.
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:eachVal=+k8s:subfield(w)=+k8s:maximum=90
	// +k8s:eachVal=+k8s:subfield(v)=+k8s:minimum=5
	// +k8s:eachVal=+k8s:subfield(p)=+k8s:minimum=5
	// +k8s:eachVal=+k8s:subfield(s)=+k8s:minLength=3
	Items []Item `json:"items,omitempty"`
	// +k8s:eachVal=+k8s:subfield(v)=+k8s:minimum=5
	Map map[string]Item `json:"map,omitempty"`
	// +k8s:eachVal=+k8s:subfield(n)=+k8s:minimum=5
	Plain []Item `json:"plain,omitempty"`
	// +k8s:subfield(w)=+k8s:maximum=90
	// +k8s:subfield(p)=+k8s:minimum=5
	One *Item `json:"one,omitempty"`
}

// Item has members that can be unset.
type Item struct {
	// +k8s:optional
	// +k8s:minimum=10
	W int `json:"w,omitempty"`
	// +k8s:optional
	V int `json:"v,omitempty"`
	// +k8s:optional
	P *int `json:"p,omitempty"`
	// +k8s:optional
	S string `json:"s,omitempty"`
	N int    `json:"n,omitempty"`
}

// Route has values with forms of their own, and a map without a limit.
type Route struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Port *intstr.IntOrString `json:"port,omitempty"`
	Size resource.Quantity `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-short-name
	Closures map[string]Closure `json:"closures,omitempty"`
	// +k8s:immutable
	Sizes []resource.Quantity `json:"sizes,omitempty"`
}

// Closure has members that are required.
type Closure struct {
	// +k8s:required
	// +k8s:minimum=0
	FromHour *int32 `json:"fromHour"`
	// +k8s:required
	// +k8s:minimum=1
	Hours int32 `json:"hours"`
	// +k8s:required
	Name string `json:"name"`
}

// Fleet has lists of which the server finds the items again, and such of which it does not.
type Fleet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=16
	// +k8s:eachVal=+k8s:subfield(count)=+k8s:maximum=9
	Parts []Part `json:"parts,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	// +k8s:eachVal=+k8s:maxLength=5
	// +k8s:eachVal=+k8s:neq="bad"
	Tags []string `json:"tags,omitempty"`
	// +k8s:optional
	// +k8s:minItems=2
	Loose []Part `json:"loose,omitempty"`
	Drive Drive  `json:"drive,omitempty"`
	// +k8s:required
	Next *Drive `json:"next,omitempty"`
}

// Part has a key and members that change.
type Part struct {
	// +k8s:required
	// +k8s:maxLength=8
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:monotonic
	Count int32 `json:"count,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	// +k8s:update=NoModify
	Model *string `json:"model,omitempty"`
	// +k8s:immutable
	// +k8s:optional
	Serial string `json:"serial,omitempty"`
}

// Drive is one of several.
type Drive struct {
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	// +k8s:minimum=1
	Wheels *int32 `json:"wheels,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	Tracks *int32 `json:"tracks,omitempty"`
	// +k8s:optional
	// +k8s:dependentRequired("wheels")
	Brake string `json:"brake,omitempty"`
	// +k8s:optional
	Mode Mode `json:"mode,omitempty"`
}

// Mode is how a drive works.
// +k8s:enum
type Mode string

const (
	// Slow is a mode.
	Slow Mode = "Slow"
	// Fast is a mode.
	Fast Mode = "Fast"
)
