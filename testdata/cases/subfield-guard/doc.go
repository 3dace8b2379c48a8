// +k8s:validation-gen=*

// Package subfieldguard has members whose own rules guard what others say of them.
package subfieldguard
