// +k8s:validation-gen=*

// Package subfield has subfield tags that lead nowhere.
package subfield
