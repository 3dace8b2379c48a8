// +k8s:validation-gen=*

// Package zerooroneofmember has structs and lists of which at most one member is set.
package zerooroneofmember
