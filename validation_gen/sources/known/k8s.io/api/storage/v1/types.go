// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=storage.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import resource "k8s.io/apimachinery/pkg/api/resource"
import v1 "k8s.io/api/core/v1"

const GroupName = "storage.k8s.io"

type StorageClass struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.35 1.36 1.37
// +required
//release 1.35
// +k8s:required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
// +k8s:alpha(since: "1.36")=+k8s:immutable
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
// +k8s:beta(since: "1.37")=+k8s:immutable
//release
Provisioner string `json:"provisioner"`
// +optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:immutable
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:immutable
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Parameters map[string]string `json:"parameters,omitempty"`
// +optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:immutable
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:immutable
// +k8s:beta(since: "1.37")=+k8s:optional
//release
ReclaimPolicy *v1.PersistentVolumeReclaimPolicy `json:"reclaimPolicy,omitempty"`
// +optional
// +listType=atomic
MountOptions []string `json:"mountOptions,omitempty"`
// +optional
AllowVolumeExpansion *bool `json:"allowVolumeExpansion,omitempty"`
// +optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:immutable
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:immutable
// +k8s:beta(since: "1.37")=+k8s:optional
//release
VolumeBindingMode *VolumeBindingMode `json:"volumeBindingMode,omitempty"`
// +optional
// +listType=atomic
AllowedTopologies []v1.TopologySelectorTerm `json:"allowedTopologies,omitempty"`
}

type StorageClassList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []StorageClass `json:"items"`
}

// +enum
type VolumeBindingMode string

const (
VolumeBindingImmediate VolumeBindingMode = "Immediate"
VolumeBindingWaitForFirstConsumer VolumeBindingMode = "WaitForFirstConsumer"
)

//release 1.36 1.37
// +k8s:supportsSubresource="/status"

//release
type VolumeAttachment struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:immutable
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:immutable
//release 1.36 1.37
// +required
//release
Spec VolumeAttachmentSpec `json:"spec"`
// +optional
Status VolumeAttachmentStatus `json:"status,omitempty"`
}

type VolumeAttachmentList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []VolumeAttachment `json:"items"`
}

type VolumeAttachmentSpec struct {
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
// +k8s:alpha(since: "1.36")=+k8s:format="k8s-long-name-caseless"
// +k8s:alpha(since: "1.36")=+k8s:maxLength=63
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
// +k8s:beta(since: "1.37")=+k8s:format="k8s-long-name-caseless"
// +k8s:beta(since: "1.37")=+k8s:maxLength=63
//release
Attacher string `json:"attacher"`
Source VolumeAttachmentSource `json:"source"`
NodeName string `json:"nodeName"`
}

type VolumeAttachmentSource struct {
// +optional
PersistentVolumeName *string `json:"persistentVolumeName,omitempty"`
// +optional
InlineVolumeSpec *v1.PersistentVolumeSpec `json:"inlineVolumeSpec,omitempty"`
}

type VolumeAttachmentStatus struct {
Attached bool `json:"attached"`
// +optional
AttachmentMetadata map[string]string `json:"attachmentMetadata,omitempty"`
// +optional
AttachError *VolumeError `json:"attachError,omitempty"`
// +optional
DetachError *VolumeError `json:"detachError,omitempty"`
}

type VolumeError struct {
// +optional
Time metav1.Time `json:"time,omitempty"`
// +optional
Message string `json:"message,omitempty"`
// +optional
ErrorCode *int32 `json:"errorCode,omitempty"`
}

type CSIDriver struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec CSIDriverSpec `json:"spec"`
}

type CSIDriverList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []CSIDriver `json:"items"`
}

type CSIDriverSpec struct {
// +optional
AttachRequired *bool `json:"attachRequired,omitempty"`
// +optional
PodInfoOnMount *bool `json:"podInfoOnMount,omitempty"`
// +optional
// +listType=set
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:immutable
//release
VolumeLifecycleModes []VolumeLifecycleMode `json:"volumeLifecycleModes,omitempty"`
// +optional
StorageCapacity *bool `json:"storageCapacity,omitempty"`
// +optional
FSGroupPolicy *FSGroupPolicy `json:"fsGroupPolicy,omitempty"`
// +optional
// +listType=atomic
TokenRequests []TokenRequest `json:"tokenRequests,omitempty"`
// +optional
RequiresRepublish *bool `json:"requiresRepublish,omitempty"`
// +optional
SELinuxMount *bool `json:"seLinuxMount,omitempty"`
// +optional
NodeAllocatableUpdatePeriodSeconds *int64 `json:"nodeAllocatableUpdatePeriodSeconds,omitempty"`
//release 1.35 1.36 1.37
// +optional
ServiceAccountTokenInSecrets *bool `json:"serviceAccountTokenInSecrets,omitempty"`
//release 1.36 1.37
// +optional
PreventPodSchedulingIfMissing *bool `json:"preventPodSchedulingIfMissing,omitempty"`
//release
}

type FSGroupPolicy string

const (
ReadWriteOnceWithFSTypeFSGroupPolicy FSGroupPolicy = "ReadWriteOnceWithFSType"
FileFSGroupPolicy FSGroupPolicy = "File"
NoneFSGroupPolicy FSGroupPolicy = "None"
)

type VolumeLifecycleMode string

type TokenRequest struct {
Audience string `json:"audience"`
// +optional
ExpirationSeconds *int64 `json:"expirationSeconds,omitempty"`
}

const (
VolumeLifecyclePersistent VolumeLifecycleMode = "Persistent"
VolumeLifecycleEphemeral VolumeLifecycleMode = "Ephemeral"
)

//release 1.37
// +k8s:supportsSubresource="/status"

//release
type CSINode struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec CSINodeSpec `json:"spec"`
//release 1.37
// +optional
Status CSINodeStatus `json:"status,omitempty"`
//release
}

type CSINodeSpec struct {
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
Drivers []CSINodeDriver `json:"drivers" patchStrategy:"merge" patchMergeKey:"name"`
}

type CSINodeDriver struct {
Name string `json:"name"`
NodeID string `json:"nodeID"`
// +optional
// +listType=atomic
TopologyKeys []string `json:"topologyKeys"`
// +optional
Allocatable *VolumeNodeResources `json:"allocatable,omitempty"`
}

type VolumeNodeResources struct {
// +optional
Count *int32 `json:"count,omitempty"`
}

//release 1.37
// +enum
type StorageHealthStatusType string

const (
StorageUnreachable StorageHealthStatusType = "StorageUnreachable"
StorageDegraded StorageHealthStatusType = "StorageDegraded"
)

type StorageHealthCondition struct {
// +required
Status StorageHealthStatusType `json:"status"`
// +required
Reason string `json:"reason"`
// +optional
Message string `json:"message,omitempty"`
// +optional
AccessMode *v1.PersistentVolumeAccessMode `json:"accessMode,omitempty"`
// +optional
VolumeMode *v1.PersistentVolumeMode `json:"volumeMode,omitempty"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
}

type StorageHealth struct {
// +required
Name string `json:"name"`
// +optional
// +listType=atomic
HealthConditions []StorageHealthCondition `json:"healthConditions,omitempty"`
}

type CSINodeStatus struct {
// +optional
// +listType=map
// +listMapKey=name
// +patchMergeKey=name
// +patchStrategy=merge
StorageHealth []StorageHealth `json:"storageHealth,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

//release
type CSINodeList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []CSINode `json:"items"`
}

type CSIStorageCapacity struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
NodeTopology *metav1.LabelSelector `json:"nodeTopology,omitempty"`
StorageClassName string `json:"storageClassName"`
// +optional
Capacity *resource.Quantity `json:"capacity,omitempty"`
// +optional
MaximumVolumeSize *resource.Quantity `json:"maximumVolumeSize,omitempty"`
}

type CSIStorageCapacityList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []CSIStorageCapacity `json:"items"`
}

//release 1.34 1.35 1.36 1.37
type VolumeAttributesClass struct {
//release 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release 1.34 1.35 1.36 1.37
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
DriverName string `json:"driverName"`
Parameters map[string]string `json:"parameters,omitempty"`
}

type VolumeAttributesClassList struct {
//release 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release 1.34 1.35 1.36 1.37
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []VolumeAttributesClass `json:"items"`
}
