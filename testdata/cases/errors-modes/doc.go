// +k8s:validation-gen=*

// Package modes has modes that contradict or lack each other.
package modes
