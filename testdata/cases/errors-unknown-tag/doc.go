// +k8s:validation-gen=*

// Package unknowntag has tags that nobody knows: a warning where one stands alone, an error where another tag wants it.
package unknowntag
