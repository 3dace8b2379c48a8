// +k8s:validation-gen=TypesWithPrefix=My
// want-above VG104 `unknown value for package tag "k8s:validation-gen": "TypesWithPrefix=My"`
// +k8s:validation-gen=Type-Meta
// want-above VG104 `unknown value for package tag "k8s:validation-gen": "Type-Meta"`
// +k8s:validation-gen="*"
// want-above VG104 `unknown value for package tag "k8s:validation-gen": ""*""`

// Package unknown has selectors that nobody knows.
package unknown
