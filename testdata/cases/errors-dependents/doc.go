// +k8s:validation-gen=*

// Package dependents has dependents that are not there.
package dependents
