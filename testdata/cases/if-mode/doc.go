// +k8s:validation-gen=*

// Package ifmode has rules that count in one mode.
package ifmode
