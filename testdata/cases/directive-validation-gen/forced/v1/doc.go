// +groupName=forced.example.com

// Package v1 has types that decide for themselves.
package v1

// +k8s:validation-gen=TypesWithField=TypeMeta
