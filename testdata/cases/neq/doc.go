// +k8s:validation-gen=*

// Package neq has values that may not be.
package neq
