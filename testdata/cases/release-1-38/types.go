package release

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Wait has bounds with units.
type Wait struct {
	// +k8s:minimum="1s"
	// +k8s:maximum="1h30m"
	Between time.Duration `json:"between"`

	// +k8s:optional
	// +k8s:minimum="-100ms"
	Least *time.Duration `json:"least,omitempty"`

	// +k8s:eachVal=+k8s:maximum="0"
	Past []time.Duration `json:"past,omitempty"`

	// +k8s:minimum=5
	Timeout Timeout `json:"timeout"`
}

// Timeout is an integer of its own, not a time.Duration.
type Timeout time.Duration

// Stock has quantities that errors show.
type Stock struct {
	// +k8s:listType=set
	Rooms []Room `json:"rooms,omitempty"`

	// +k8s:immutable
	Most resource.Quantity `json:"most"`

	// +k8s:optional
	// +k8s:update=NoModify
	Least *resource.Quantity `json:"least,omitempty"`
}

// Room is some room.
type Room struct {
	Size resource.Quantity `json:"size"`
}
