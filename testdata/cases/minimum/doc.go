// +k8s:validation-gen=*

// Package minimum has numbers with a lower bound.
package minimum
