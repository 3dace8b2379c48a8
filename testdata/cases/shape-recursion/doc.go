// +k8s:validation-gen=*

// Package recursion has types that mention themselves.
package recursion
