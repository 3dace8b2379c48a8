// +k8s:validation-gen=*
// +k8s:validation-gen-input=
// want-above VG104 `+k8s:validation-gen-input: no package is named`

// Package nameless has an input without a name.
package nameless
