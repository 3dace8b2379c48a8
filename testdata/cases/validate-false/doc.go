// +k8s:validation-gen=*

// Package validatefalse shows where validation gets to, and how values of every kind are printed.
package validatefalse
