// +k8s:validation-gen=*

// Package arguments has tags with wrong arguments.
package arguments
