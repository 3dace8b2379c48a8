package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Shed is converted by somebody outside of the cluster.
//
// +kubebuilder:object:root=true
// +validation-gen:conversion:strategy=Webhook,url="https://sheds.example.com:9443/convert"
type Shed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
