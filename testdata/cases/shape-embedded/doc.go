// +k8s:validation-gen=*

// Package embedded has structs inside structs, whose members share one JSON object.
package embedded
