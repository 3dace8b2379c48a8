package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +k8s:isSubresource="/scale"

// Scale is the body of the scale subresource of a RobotPool.
type Scale struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says how many robots are wanted.
	// +optional
	Spec ScaleSpec `json:"spec,omitempty"`

	// status says how many robots there are.
	// +optional
	Status ScaleStatus `json:"status,omitempty"`
}

// ScaleSpec says how many robots are wanted.
type ScaleSpec struct {
	// replicas is how many robots are wanted.
	// +optional
	// +default=0
	// +k8s:optional
	// +k8s:minimum=0
	Replicas int32 `json:"replicas,omitempty"`
}

// ScaleStatus says how many robots there are.
type ScaleStatus struct {
	// replicas is how many robots there are.
	Replicas int32 `json:"replicas"`

	// selector finds the robots of the pool, in the notation of query parameters.
	// +optional
	Selector string `json:"selector,omitempty"`
}
