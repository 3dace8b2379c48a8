// +k8s:validation-gen=*

// Package numbers has numbers that do not fit.
package numbers
