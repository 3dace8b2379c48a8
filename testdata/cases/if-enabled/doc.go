// +k8s:validation-gen=*

// Package ifenabled has rules that count while an option is on.
package ifenabled
