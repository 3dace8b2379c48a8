package recursion

// Tree mentions itself through pointers, lists and maps.
type Tree struct {
	// +k8s:required
	Name string `json:"name"`

	// +k8s:optional
	Left *Tree `json:"left,omitempty"`

	Children []Tree `json:"children,omitempty"`

	// +k8s:optional
	ByName map[string]Tree `json:"byName,omitempty"`

	Friends []*Tree `json:"friends,omitempty"`
}

// Ping mentions itself through another type. The rule is in the other one.
type Ping struct {
	Pong *Pong `json:"pong,omitempty"`
}

// Pong closes the ring.
type Pong struct {
	// +k8s:minimum=1
	Count int32 `json:"count"`
	Ping  *Ping `json:"ping,omitempty"`
}

// Calm and Quiet mention each other, and there is no rule in either.
type Calm struct {
	Quiet *Quiet `json:"quiet,omitempty"`
}

// Quiet closes the ring.
type Quiet struct {
	Calm []Calm `json:"calm,omitempty"`
}

// Forest is a list of trees by another name, which has trees that have it.
// +k8s:maxItems=2
type Forest []Clearing

// Clearing holds a forest.
type Clearing struct {
	Forest Forest `json:"forest,omitempty"`
}
