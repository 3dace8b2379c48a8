// +k8s:validation-gen=*

// Package customvalidation has handwritten checks among generated ones.
package customvalidation
