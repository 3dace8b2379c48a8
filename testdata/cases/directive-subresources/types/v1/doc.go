// +k8s:validation-gen=*

// Package v1 says for each type to which requests its rules apply.
package v1
