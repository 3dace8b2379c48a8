// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/scale"

// Package v1 says for all of its types to which requests their rules apply, as Kubernetes 1.35 has it.
package v1
