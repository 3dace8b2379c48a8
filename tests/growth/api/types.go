// Package api has every sort of list, map and text that an object can have many or long ones of.
//
// +k8s:validation-gen=*
package api

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// +k8s:enum
type Phase string

const (
	PhaseOpen   Phase = "Open"
	PhaseClosed Phase = "Closed"
)

type Thing struct {
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:update=NoRemoveItem
	Tags []string `json:"tags,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=protocol
	Ports []Port `json:"ports,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "Ready")=+k8s:immutable
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=set
	Shapes []Shape `json:"shapes,omitempty"`

	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	Labels map[string]string `json:"labels,omitempty"`

	// +k8s:optional
	Phases []Phase `json:"phases,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Quantities map[string]resource.Quantity `json:"quantities,omitempty"`

	// +k8s:optional
	Numbers map[int32]int64 `json:"numbers,omitempty"`

	// +k8s:optional
	Times []metav1.Time `json:"times,omitempty"`

	// +k8s:optional
	Durations []metav1.Duration `json:"durations,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Bytes []byte `json:"bytes,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Raw *runtime.RawExtension `json:"raw,omitempty"`

	// +k8s:optional
	// +k8s:maxBytes=10
	Text string `json:"text,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Root *Node `json:"root,omitempty"`
}

type Port struct {
	Name     string `json:"name"`
	Protocol string `json:"protocol"`

	// +k8s:minimum=1
	Number int32 `json:"number"`
}

type Shape struct {
	Sides []int32           `json:"sides,omitempty"`
	Names map[string]string `json:"names,omitempty"`
}

type Node struct {
	// +k8s:required
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:update=NoUnset
	Next *Node `json:"next,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Kids []Node `json:"kids,omitempty"`

	// +k8s:optional
	ByName map[string]Node `json:"byName,omitempty"`
}
