// +k8s:validation-gen=*

// Package maxproperties limits maps.
package maxproperties
