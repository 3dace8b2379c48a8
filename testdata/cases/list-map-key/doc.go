// +k8s:validation-gen=*

// Package listmapkey has lists whose items are known by their keys.
package listmapkey
