// +k8s:validation-gen=*
// +k8s:validation-gen-input=../mixed
// want-above VG104 `+k8s:validation-gen-input: relative path "../mixed" is not supported; use the full package import path`
// +k8s:validation-gen-input=example.com/elsewhere
// want-above VG104 `+k8s:validation-gen-input: expected at most one value (keep one of them)`

// Package input reads its types from two places.
package input
