// +k8s:validation-gen=*

// Package maximum has upper bounds of integers.
package maximum
