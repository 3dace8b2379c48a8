// +k8s:validation-gen=*
// +groupName=star.example.com

// Package v1 chooses every exported type.
package v1
