// +k8s:validation-gen=*

// Package typedefs has types that are made from other types.
package typedefs
