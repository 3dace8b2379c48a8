// +k8s:validation-gen=*

// Package arrays has fixed-size arrays. Kubernetes refuses to validate them, so they have their types and no rules.
package arrays
