// +k8s:validation-gen=*

// Package wrongtypes is given values of the wrong JSON type in every kind of place.
package wrongtypes
