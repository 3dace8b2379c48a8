// Package intstr holds what decoding needs to know of k8s.io/apimachinery/pkg/util/intstr.
package intstr

type IntOrString struct {
	Type   Type
	IntVal int32
	StrVal string
}

type Type int64

const (
	Int Type = iota
	String
)

func (*IntOrString) UnmarshalJSON([]byte) error
