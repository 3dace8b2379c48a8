// Package v1 carries no tags at all, so it takes no part.
package v1

// Plain has a comment that mentions +k8s:required, but no tag.
type Plain struct {
	Name string `json:"name"`
}
