// Package first has two names in its directory.
package first

// First is read.
type First struct {
	// +k8s:required
	Name string `json:"name"`
}
