// +k8s:validation-gen=*

// Package subfield has rules for members of structs, said from outside.
package subfield
