// +k8s:validation-gen=*

// Package release has what 1.38 reads or writes in another way: bounds of durations, and large quantities.
package release
