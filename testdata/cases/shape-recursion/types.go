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

// Rope mentions itself through a list with a name of its own.
type Rope struct {
	// +k8s:immutable
	Right *Rope `json:"right,omitempty"`
	Chain Chain `json:"chain,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Knots Knots `json:"knots,omitempty"`
}

// Chain is a list of ropes.
type Chain []Rope

// Knot is an item that has such items.
type Knot struct {
	Name  string `json:"name"`
	Knots Knots  `json:"knots,omitempty"`
	Rope  *Rope  `json:"rope,omitempty"`
}

// Knots is a list of knots.
type Knots []Knot

// Endless is a map of itself, with no struct in between.
type Endless map[string]Endless

// Grid is a map of lists of itself.
type Grid map[string]Lane

// Lane is a list of maps of itself.
type Lane []Grid

// Maze holds them.
type Maze struct {
	// +k8s:required
	Name    string  `json:"name"`
	Endless Endless `json:"endless,omitempty"`
	Grid    Grid    `json:"grid,omitempty"`
	Lane    Lane    `json:"lane,omitempty"`
}
