// +k8s:validation-gen=*

// Package limitsnewer has newer limits where they cannot be.
package limitsnewer
