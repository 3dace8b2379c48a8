// +k8s:validation-gen=*

// Package foreign uses types whose sources are nowhere.
package foreign
