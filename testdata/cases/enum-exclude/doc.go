// +k8s:validation-gen=*

// Package enumexclude has enums without some of their constants.
package enumexclude
