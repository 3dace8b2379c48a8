// +k8s:validation-gen=false
// +groupName=api.example.com

// Package v1 has types with tags, and no validators: those are in another package.
package v1
