// +k8s:validation-gen=*

// Package unionmember has structs and lists of which exactly one member is set.
package unionmember
