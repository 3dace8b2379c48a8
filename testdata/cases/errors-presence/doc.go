// +k8s:validation-gen=*

// Package presence has presence tags that mean nothing, and defaults that cannot be read.
package presence
