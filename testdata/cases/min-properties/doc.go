// +k8s:validation-gen=*

// Package minproperties demands keys of maps.
package minproperties
