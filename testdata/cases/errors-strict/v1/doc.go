// +k8s:validation-gen=*

// Package v1 is read as Kubernetes reads it: types of other packages must be known, and all shapes must be supported.
package v1
