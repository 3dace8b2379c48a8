// +k8s:validation-gen=*

// Package eachkey has rules for the keys of maps.
package eachkey
