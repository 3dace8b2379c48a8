// +k8s:validation-gen=*

// Package validatetruealpha accepts everything, with a tag that is alpha itself.
package validatetruealpha
