// +k8s:validation-gen=*

// Package format has a field of every format.
package format
