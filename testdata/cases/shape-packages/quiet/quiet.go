// Package quiet has no tags.
package quiet

// Quiet has nothing to say.
type Quiet struct {
	Text string `json:"text,omitempty"`
}
