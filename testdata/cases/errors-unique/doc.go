// +k8s:validation-gen=*

// Package unique has lists that contradict themselves on what is unique.
package unique
