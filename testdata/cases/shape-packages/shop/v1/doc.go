// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=shop.example.com

// Package v1 uses types of other packages.
package v1
