// +k8s:validation-gen=*

// Package dependentforbidden has fields that rule out others.
package dependentforbidden
