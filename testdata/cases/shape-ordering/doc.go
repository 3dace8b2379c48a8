// +k8s:validation-gen=*

// Package ordering shows in which order errors come.
package ordering
