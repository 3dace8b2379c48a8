package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/cases/shape-packages/shop/v1"
)

// Shop holds an older one.
type Shop struct {
	metav1.TypeMeta `json:",inline"`

	Old v1.Shop `json:"old"`

	// +k8s:minimum=2
	Floors int32 `json:"floors"`
}
