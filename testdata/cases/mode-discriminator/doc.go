// +k8s:validation-gen=*

// Package modediscriminator has discriminators of every sort.
package modediscriminator
