// +k8s:validation-gen-nolint

// Package silent does not want to hear anything.
package silent
