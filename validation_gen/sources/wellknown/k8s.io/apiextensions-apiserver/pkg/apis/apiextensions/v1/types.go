// Package v1 holds what decoding needs to know of k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.
package v1

type JSON struct {
	Raw []byte `json:"-"`
}

func (*JSON) UnmarshalJSON([]byte) error
