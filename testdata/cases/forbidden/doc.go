// +k8s:validation-gen=*

// Package forbidden has fields of every sort that must stay unset.
package forbidden
