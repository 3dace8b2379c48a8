// +k8s:validation-gen=*

// Package listtype has lists of all sorts.
package listtype
