// +k8s:validation-gen=*

// Package lists has list tags that contradict or lack each other.
package lists
