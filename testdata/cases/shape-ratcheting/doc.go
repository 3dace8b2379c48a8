// +k8s:validation-gen=*

// Package ratcheting shows what an update leaves alone.
package ratcheting
