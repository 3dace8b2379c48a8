// Package unstructured holds what decoding needs to know of k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.
package unstructured

type Unstructured struct {
	Object map[string]interface{} `json:"-"`
}

type UnstructuredList struct {
	Object map[string]interface{} `json:"-"`
	Items  []Unstructured         `json:"items"`
}

func (*Unstructured) UnmarshalJSON([]byte) error
func (*UnstructuredList) UnmarshalJSON([]byte) error
