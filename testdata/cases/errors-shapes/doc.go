// +k8s:validation-gen=*

// Package shapes has tags on types of shapes that cannot be validated.
package shapes
