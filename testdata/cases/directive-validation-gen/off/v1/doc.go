// +k8s:validation-gen=false
// +groupName=off.example.com

// Package v1 takes no part, whatever its types say.
package v1
