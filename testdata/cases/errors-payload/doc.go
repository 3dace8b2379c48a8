// +k8s:validation-gen=*

// Package payload has tags with payloads of the wrong type.
package payload
