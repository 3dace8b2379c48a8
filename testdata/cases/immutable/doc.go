// +k8s:validation-gen=*

// Package immutable has values that may not change.
package immutable
