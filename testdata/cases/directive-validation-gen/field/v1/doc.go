// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=field.example.com

// Package v1 chooses types by a field.
package v1
