// +k8s:validation-gen=*

// Package own has formats of the project.
package own
