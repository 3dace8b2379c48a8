// Package resource holds what decoding needs to know of k8s.io/apimachinery/pkg/api/resource.
package resource

type Quantity struct {
	Format
}

type Format string

const (
	DecimalExponent = Format("DecimalExponent")
	BinarySI        = Format("BinarySI")
	DecimalSI       = Format("DecimalSI")
)

func (*Quantity) UnmarshalJSON([]byte) error
