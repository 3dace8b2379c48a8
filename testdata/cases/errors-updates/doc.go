// +k8s:validation-gen=*

// Package updates has constraints of updates where they cannot be.
package updates
