// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=scheduling.k8s.io
package v1

import apiv1 "k8s.io/api/core/v1"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "scheduling.k8s.io"

type PriorityClass struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.36 1.37
// +optional
//release
Value int32 `json:"value"`
// +optional
GlobalDefault bool `json:"globalDefault,omitempty"`
// +optional
Description string `json:"description,omitempty"`
// +optional
PreemptionPolicy *apiv1.PreemptionPolicy `json:"preemptionPolicy,omitempty"`
}

type PriorityClassList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PriorityClass `json:"items"`
}
