// +k8s:validation-gen=TypesWithSuffix=Spec
// +groupName=suffix.example.com

// Package v1 chooses types by the end of their names.
package v1
