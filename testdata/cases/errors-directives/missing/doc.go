// +k8s:validation-gen=*
// +k8s:validation-gen-input=example.com/cases/nowhere
// want-above VG104 `+k8s:validation-gen-input: there is no package "example.com/cases/nowhere" (write the import path of the package with the types; --module IMPORT=DIR says where a module is)`

// Package missing has an input that is nowhere.
package missing
