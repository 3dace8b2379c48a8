// +k8s:validation-gen=*

// Package kinds has tags on types that they do not fit.
package kinds
