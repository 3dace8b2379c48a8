// +k8s:validation-gen=*

// Package pointers has values behind pointers.
package pointers
