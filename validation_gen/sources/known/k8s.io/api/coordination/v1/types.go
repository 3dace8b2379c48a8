// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=coordination.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "coordination.k8s.io"

type CoordinatedLeaseStrategy string

const (
OldestEmulationVersion CoordinatedLeaseStrategy = "OldestEmulationVersion"
)

type Lease struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec LeaseSpec `json:"spec,omitempty"`
}

type LeaseSpec struct {
// +optional
HolderIdentity *string `json:"holderIdentity,omitempty"`
// +optional
LeaseDurationSeconds *int32 `json:"leaseDurationSeconds,omitempty"`
// +optional
AcquireTime *metav1.MicroTime `json:"acquireTime,omitempty"`
// +optional
RenewTime *metav1.MicroTime `json:"renewTime,omitempty"`
// +optional
LeaseTransitions *int32 `json:"leaseTransitions,omitempty"`
// +optional
Strategy *CoordinatedLeaseStrategy `json:"strategy,omitempty"`
// +optional
PreferredHolder *string `json:"preferredHolder,omitempty"`
}

type LeaseList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Lease `json:"items"`
}
