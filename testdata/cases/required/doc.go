// +k8s:validation-gen=*

// Package required demands fields of every sort.
package required
