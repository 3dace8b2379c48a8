// +k8s:validation-gen=*

// Package validatetruebeta accepts everything, with a tag that is beta itself.
package validatetruebeta
