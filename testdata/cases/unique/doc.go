// +k8s:validation-gen=*

// Package unique has atomic lists whose items are unique.
package unique
