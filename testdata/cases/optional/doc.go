// +k8s:validation-gen=*

// Package optional has fields of every sort that may be left unset.
package optional
