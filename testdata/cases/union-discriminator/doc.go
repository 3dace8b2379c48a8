// +k8s:validation-gen=*

// Package uniondiscriminator has unions with a field that says which member is set.
package uniondiscriminator
