// Package other is only read.
package other

// Other is included, because it is listed.
type Other struct {
	// +k8s:required
	Name string `json:"name"`
}
