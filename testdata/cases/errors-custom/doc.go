// +k8s:validation-gen=*

// Package custom lacks handwritten functions, and has some that nothing calls.
package custom
