// +k8s:validation-gen=*

// Package unions has unions that make no sense.
package unions
