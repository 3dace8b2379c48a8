// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=shop.example.com

// Package v2 has a type of the same name.
package v2
