// +k8s:validaton-gen=*
// want-above VG103 `package example.com/cases/errors-directives/misspelt: unknown tag +k8s:validaton-gen (did you mean +k8s:validation-gen?)`
// +k8s:validation-gen-imput=example.com/cases/other
// want-above VG103 `unknown tag +k8s:validation-gen-imput (did you mean +k8s:validation-gen-input?)`
// +k8s:deepcopy-gen=package
// +k8s:conversion-gen=example.com/cases/internal
// +k8s:defaulter-gen=TypeMeta
// +k8s:applyconfiguration-gen=true

// Package misspelt has slips in the names of directives, and directives of other generators.
package misspelt

// Here is a type in the file for directives.
// +k8s:nowhere
// want-above VG103 `example.com/cases/errors-directives/misspelt.Here: unknown tag +k8s:nowhere (it has no effect`
type Here struct {
	// +k8s:required
	Name string `json:"name"`
}
