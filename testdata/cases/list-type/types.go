package listtype

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Bag has lists that are sets, maps and neither.
type Bag struct {
	// +k8s:listType=set
	Names []string `json:"names,omitempty"`

	// +k8s:listType=set
	Kinds []Kind `json:"kinds,omitempty"`

	// +k8s:listType=set
	Numbers []int64 `json:"numbers,omitempty"`

	// +k8s:listType=set
	Flags []bool `json:"flags,omitempty"`

	// +k8s:listType=set
	Refs []*string `json:"refs,omitempty"`

	// +k8s:listType=set
	Stones []Stone `json:"stones,omitempty"`

	// Bytes are items as others are, although JSON has one string for all of them.
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:neq=0
	Bytes []byte `json:"bytes,omitempty"`

	// +k8s:listType=set
	Blobs [][]byte `json:"blobs,omitempty"`

	// Null is a value like others where items are no pointers.
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:immutable
	Marks []interface{} `json:"marks,omitempty"`

	// +k8s:listType=set
	// +k8s:eachVal=+k8s:immutable
	Dust []resource.Quantity `json:"dust,omitempty"`

	// Keys with a form of their own show it as Go writes it.
	// +k8s:listType=map
	// +k8s:listMapKey=size
	Ores []Ore `json:"ores,omitempty"`

	// Equality of what holds lists and pointers is semantic.
	// +k8s:listType=set
	Strings []String `json:"strings,omitempty"`

	// +k8s:listType=set
	Links []*String `json:"links,omitempty"`

	// +k8s:listType=set
	Weights []resource.Quantity `json:"weights,omitempty"`

	// +k8s:listType=set
	Days []metav1.Time `json:"days,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=size
	Marbles []Stone `json:"marbles,omitempty"`

	// +k8s:listType=atomic
	Things []string `json:"things,omitempty"`

	Lot Lot `json:"lot,omitempty"`

	// The limit stops the search for duplicates.
	// +k8s:listType=set
	// +k8s:maxItems=3
	Few []string `json:"few,omitempty"`
}

// Kind is a string of its own type.
type Kind string

// Stone is comparable as it is.
type Stone struct {
	Colour string `json:"colour,omitempty"`
	Size   int32  `json:"size"`
}

// Ore has times and amounts.
type Ore struct {
	Size   int32             `json:"size"`
	Weight resource.Quantity `json:"weight"`
	Found  metav1.Time       `json:"found,omitempty"`
	Age    metav1.Duration   `json:"age"`
	Stamp  []byte            `json:"stamp,omitempty"`
}

// String has what Go cannot compare.
type String struct {
	Beads  []string          `json:"beads,omitempty"`
	Clasp  *string           `json:"clasp,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
}

// Lot has the tag on the type.
// +k8s:listType=set
type Lot []string
