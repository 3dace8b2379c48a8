package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.com/fleet/geo"
)

// +genclient
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=example.com/fleet/robots/v1.Scale,result=example.com/fleet/robots/v1.Scale
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// RobotPool keeps a number of interchangeable robots in service. When one fails, another one is fetched from the depot.
// The number can be changed through the scale subresource, whose body is a Scale.
// +k8s:supportsSubresource="/status"
type RobotPool struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object's metadata. The name becomes part of radio call signs, so it has no dots.
	// +optional
	// +k8s:subfield(name)=+k8s:optional
	// +k8s:subfield(name)=+k8s:format=k8s-short-name
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says how many robots of which kind the pool keeps.
	Spec RobotPoolSpec `json:"spec"`

	// status is what the pool controller last observed.
	// +optional
	Status RobotPoolStatus `json:"status,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// RobotPoolList is a list of pools.
type RobotPoolList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items is the list of pools.
	Items []RobotPool `json:"items"`
}

// RobotPoolSpec says how many robots of which kind a pool keeps.
type RobotPoolSpec struct {
	// RolloutPolicy says how the pool passes from one template to the next.
	RolloutPolicy `json:",inline"`

	// replicas is how many robots are wanted. Zero sends all of them to the depot.
	// +optional
	// +default=1
	// +k8s:optional
	// +k8s:minimum=0
	Replicas *int32 `json:"replicas,omitempty"`

	// selector finds the robots of the pool by their labels.
	// +required
	// +k8s:required
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	Selector map[string]string `json:"selector"`

	// areas are where the robots of the pool may go. No area means that they may go everywhere.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=16
	Areas []geo.Area `json:"areas,omitempty"`

	// template describes the robots of the pool.
	Template RobotTemplate `json:"template"`
}

// RolloutPolicy says how a pool passes from one template to the next.
type RolloutPolicy struct {
	// strategy is the order in which robots are exchanged.
	// +optional
	// +default="Rolling"
	// +k8s:optional
	Strategy RolloutStrategy `json:"strategy,omitempty"`

	// maxUnavailable is how many robots may be missing meanwhile: a number, or a part of the replicas such as "25%".
	// +optional
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`

	// minReadySeconds is how long a robot must work before it counts as available.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
}

// RolloutStrategy is the order in which the robots of a pool are exchanged.
// +enum
// +k8s:enum
type RolloutStrategy string

const (
	// RolloutRolling exchanges a few robots at a time.
	RolloutRolling RolloutStrategy = "Rolling"
	// RolloutAllAtOnce calls all robots in before the first new one leaves.
	RolloutAllAtOnce RolloutStrategy = "AllAtOnce"
	// RolloutOnFailure exchanges a robot when it fails, not earlier.
	RolloutOnFailure RolloutStrategy = "OnFailure"
)

// RobotTemplate describes the robots that a pool fetches from the depot.
type RobotTemplate struct {
	// metadata is given to each robot. The name is made up by the controller.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// drive is how the robots move.
	Drive Drive `json:"drive"`

	// capabilities are what each robot must be able to do.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=32
	Capabilities []Capability `json:"capabilities,omitempty"`
}

// RobotPoolStatus is what the pool controller last observed.
type RobotPoolStatus struct {
	// replicas is how many robots were found.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	Replicas int32 `json:"replicas,omitempty"`

	// readyReplicas is how many of them can take a mission.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`

	// observedGeneration is the generation of the pool that the controller has acted on.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
