// +k8s:validation-gen=*

// Package maxitems limits lists.
package maxitems
