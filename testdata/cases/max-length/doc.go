// +k8s:validation-gen=*

// Package maxlength limits the length of strings.
package maxlength
