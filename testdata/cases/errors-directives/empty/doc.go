// +k8s:validation-gen=
// want-above VG104 `found package tag "k8s:validation-gen" with no value (write +k8s:validation-gen=TypesWithField=TypeMeta, =TypesWithSuffix=Spec, =* or =false)`
// +k8s:validation-gen
// want-above VG104 `found package tag "k8s:validation-gen" with no value`
// +k8s:validation-gen=TypesWithField=
// want-above VG104 `found package tag "k8s:validation-gen" with no value`

// Package empty selects nothing.
package empty
