// +k8s:validation-gen=*

// Package scope has tags in places where they cannot stand.
package scope
