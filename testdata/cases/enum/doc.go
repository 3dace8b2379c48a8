// +k8s:validation-gen=*

// Package enum has strings with a closed set of values.
package enum
