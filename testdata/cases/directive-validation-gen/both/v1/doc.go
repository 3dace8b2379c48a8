// +k8s:validation-gen=TypesWithSuffix=Spec
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=both.example.com

// Package v1 chooses types by either of two directives.
package v1
