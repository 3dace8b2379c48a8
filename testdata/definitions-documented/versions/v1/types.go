package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Bench stands in the garden.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +validation-gen:conversion:strategy=Webhook,service="garden/benches",path="/convert",port=1234,reviewVersions={v1,v1beta1}
type Bench struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BenchSpec `json:"spec,omitempty"`
}

type BenchSpec struct {
	Place Place `json:"place,omitempty"`
	Seats int32 `json:"seats,omitempty"`
}

type Place struct {
	Bed string `json:"bed,omitempty"`
	Row int32  `json:"row,omitempty"`
}
