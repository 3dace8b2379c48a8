// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:isSubresource="/scale"

// Package v1scale holds the rules of a subresource.
package v1scale
