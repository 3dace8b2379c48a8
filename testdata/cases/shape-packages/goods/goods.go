// Package goods says nothing about generation; what it holds is generated because others use it, and because it has tags.
package goods

// Item is used by others.
type Item struct {
	// +k8s:required
	Label string `json:"label,omitempty"`
	Name  Name   `json:"name,omitempty"`
}

// Name is used by others.
// +k8s:maxLength=3
type Name string

// Items is used by others.
// +k8s:maxItems=1
type Items []Item

// Kind is an enum.
// +k8s:enum
type Kind string

// The legal kinds.
const (
	KindNew  Kind = "New"
	KindUsed Kind = "Used"
)
