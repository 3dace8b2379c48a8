// +k8s:validation-gen=*

// Package maxbytes limits the bytes of strings.
package maxbytes
