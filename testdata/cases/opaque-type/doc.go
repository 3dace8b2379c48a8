// +k8s:validation-gen=*

// Package opaquetype uses types without the rules that they declare for themselves.
package opaquetype
