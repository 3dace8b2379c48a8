// +k8s:validation-gen=*

// Package dependentrequired has fields that ask for others.
package dependentrequired
