// +k8s:validation-gen=*

// Package ifdisabled has rules that count while an option is off.
package ifdisabled
