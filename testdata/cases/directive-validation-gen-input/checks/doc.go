// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=example.com/cases/directive-validation-gen-input/api/v1
// +groupName=checks.example.com

// Package checks has another name than the package whose types it validates.
package checks
