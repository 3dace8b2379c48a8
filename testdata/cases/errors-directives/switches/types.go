// Package switches has types that do not say whether they are kinds.
package switches

// Maybe is no answer.
// +k8s:validation-gen=maybe
// want-above VG104 `example.com/cases/errors-directives/switches.Maybe: this does not say whether the type is a kind, so it has no effect (write +k8s:validation-gen=true or =false, once; what chooses types of the package belongs into doc.go)`
type Maybe struct {
	// +k8s:required
	Name string `json:"name"`
}

// Both is two answers.
// +k8s:validation-gen=true
// +k8s:validation-gen=false
// want-above VG104 `switches.Both: this does not say`
type Both struct {
	// +k8s:required
	Name string `json:"name"`
}

// Bare is none, in the block before.
// +k8s:validation-gen
// want-above VG104 `switches.Bare: this does not say`

type Bare struct {
	// +k8s:validation-gen-nolint
	// want-above VG104 `switches.Bare.name: +k8s:validation-gen-nolint has no effect on a field (it is read in the comments of doc.go, or those above a type)`
	// +k8s:required
	Name string `json:"name"`
}
