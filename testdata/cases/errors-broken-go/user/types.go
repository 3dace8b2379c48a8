// Package user is right itself, but uses one that is not, so that no validators are made for it either.
package user

import "example.com/cases/errors-broken-go/broken"

// User uses a broken package.
type User struct {
	// +k8s:required
	Name string      `json:"name"`
	Good broken.Good `json:"good"`
}
