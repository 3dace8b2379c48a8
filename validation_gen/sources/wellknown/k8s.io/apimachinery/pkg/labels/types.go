// Package labels holds what decoding needs to know of k8s.io/apimachinery/pkg/labels.
package labels

type Requirement struct{}

type Requirements []Requirement

type Selector interface{}

type Set map[string]string
