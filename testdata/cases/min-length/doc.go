// +k8s:validation-gen=*

// Package minlength demands characters of strings.
package minlength
