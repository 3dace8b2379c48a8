// +k8s:validation-gen=*

// Package minitems demands items of lists.
package minitems
