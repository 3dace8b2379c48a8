// +k8s:validation-gen=*

// Package malformed has tags that cannot be read.
package malformed
