// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=example.com/cases/directive-validation-gen-input/api/v1
// +groupName=rules.example.com

// Package v1 has no types: they are read from another package.
package v1
