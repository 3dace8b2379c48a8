// Package fields holds what decoding needs to know of k8s.io/apimachinery/pkg/fields.
package fields

import "k8s.io/apimachinery/pkg/selection"

type Requirement struct {
	Operator selection.Operator
	Field    string
	Value    string
}

type Requirements []Requirement

type Selector interface{}

type Set map[string]string
