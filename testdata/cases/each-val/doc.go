// +k8s:validation-gen=*

// Package eachval has rules for the items of lists and the values of maps.
package eachval
