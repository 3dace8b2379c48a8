// +k8s:validation-gen-nolint # the robots are on trial

// Package silent does not want to hear anything.
package silent
