// +k8s:validation-gen=*

// Package beta has rules with the level beta.
package beta
