// Package spoilt uses a type of which no rule is left, because its only one is wrong.
package spoilt

import "example.com/cases/errors-broken-go/broken"

// User uses a broken package.
type User struct {
	// +k8s:required
	Name   string        `json:"name"`
	Spoilt broken.Spoilt `json:"spoilt"`
}
