// +k8s:validation-gen=*

// Package item has rules for single items of list-maps.
package item
