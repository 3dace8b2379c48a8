// Package whole has nothing to do with the others.
package whole

// Whole has validators.
type Whole struct {
	// +k8s:required
	Name string `json:"name"`
}
