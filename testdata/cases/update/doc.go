// +k8s:validation-gen=*

// Package update has fields with limits to what an update may do.
package update
