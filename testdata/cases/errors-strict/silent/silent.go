// Package silent has tags, but no directive, so that it takes no part.
package silent

// Silent is not included.
type Silent struct {
	// +k8s:nosuchtag
	// +k8s:required
	Name string `json:"name"`
}
