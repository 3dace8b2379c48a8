// +k8s:validation-gen=*

// Package levels has levels without rules.
package levels
