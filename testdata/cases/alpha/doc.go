// +k8s:validation-gen=*

// Package alpha has rules with the level alpha.
package alpha
