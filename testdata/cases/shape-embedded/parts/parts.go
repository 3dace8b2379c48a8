// Package parts has a struct for others to embed.
package parts

// Wing is embedded by another package.
type Wing struct {
	// +k8s:minimum=1
	Span int32 `json:"span,omitempty"`
}
