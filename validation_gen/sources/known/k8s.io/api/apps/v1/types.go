// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

package v1

import intstr "k8s.io/apimachinery/pkg/util/intstr"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import runtime "k8s.io/apimachinery/pkg/runtime"
import v1 "k8s.io/api/core/v1"

const GroupName = "apps"

const (
ControllerRevisionHashLabelKey = "controller-revision-hash"
StatefulSetRevisionLabel = ControllerRevisionHashLabelKey
DeprecatedRollbackTo = "deprecated.deployment.rollback.to"
DeprecatedTemplateGeneration = "deprecated.daemonset.template.generation"
StatefulSetPodNameLabel = "statefulset.kubernetes.io/pod-name"
PodIndexLabel = "apps.kubernetes.io/pod-index"
)

//release 1.37
// +k8s:supportsSubresource="/scale"
// +k8s:supportsSubresource="/status"
//release
type StatefulSet struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.33 1.34 1.35 1.36
// +optional
//release 1.37
// +required
//release
Spec StatefulSetSpec `json:"spec,omitempty"`
// +optional
Status StatefulSetStatus `json:"status,omitempty"`
}

// +enum
type PodManagementPolicyType string

const (
OrderedReadyPodManagement PodManagementPolicyType = "OrderedReady"
ParallelPodManagement PodManagementPolicyType = "Parallel"
)

type StatefulSetUpdateStrategy struct {
// +optional
Type StatefulSetUpdateStrategyType `json:"type,omitempty"`
// +optional
RollingUpdate *RollingUpdateStatefulSetStrategy `json:"rollingUpdate,omitempty"`
}

// +enum
type StatefulSetUpdateStrategyType string

const (
RollingUpdateStatefulSetStrategyType StatefulSetUpdateStrategyType = "RollingUpdate"
OnDeleteStatefulSetStrategyType StatefulSetUpdateStrategyType = "OnDelete"
//release 1.37
RecreateStatefulSetStrategyType StatefulSetUpdateStrategyType = "Recreate"
//release
)

type RollingUpdateStatefulSetStrategy struct {
// +optional
Partition *int32 `json:"partition,omitempty"`
// +optional
MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
}

type PersistentVolumeClaimRetentionPolicyType string

const (
RetainPersistentVolumeClaimRetentionPolicyType PersistentVolumeClaimRetentionPolicyType = "Retain"
DeletePersistentVolumeClaimRetentionPolicyType PersistentVolumeClaimRetentionPolicyType = "Delete"
)

type StatefulSetPersistentVolumeClaimRetentionPolicy struct {
//release 1.37
// +optional
//release
WhenDeleted PersistentVolumeClaimRetentionPolicyType `json:"whenDeleted,omitempty"`
//release 1.37
// +optional
//release
WhenScaled PersistentVolumeClaimRetentionPolicyType `json:"whenScaled,omitempty"`
}

type StatefulSetOrdinals struct {
// +optional
Start int32 `json:"start"`
}

type StatefulSetSpec struct {
// +optional
Replicas *int32 `json:"replicas,omitempty"`
//release 1.37
// +required
// +k8s:alpha(since: "1.37")=+k8s:required
// +k8s:alpha(since: "1.37")=+k8s:immutable
//release
Selector *metav1.LabelSelector `json:"selector"`
//release 1.37
// +required
//release
Template v1.PodTemplateSpec `json:"template"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:immutable
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:eachVal=+k8s:opaqueType
//release
// +listType=atomic
VolumeClaimTemplates []v1.PersistentVolumeClaim `json:"volumeClaimTemplates,omitempty"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:immutable
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
ServiceName string `json:"serviceName"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:immutable
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
PodManagementPolicy PodManagementPolicyType `json:"podManagementPolicy,omitempty"`
//release 1.37
// +optional
//release
UpdateStrategy StatefulSetUpdateStrategy `json:"updateStrategy,omitempty"`
//release 1.37
// +optional
//release
RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`
// +optional
MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
// +optional
PersistentVolumeClaimRetentionPolicy *StatefulSetPersistentVolumeClaimRetentionPolicy `json:"persistentVolumeClaimRetentionPolicy,omitempty"`
// +optional
Ordinals *StatefulSetOrdinals `json:"ordinals,omitempty"`
}

type StatefulSetStatus struct {
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
Replicas int32 `json:"replicas"`
ReadyReplicas int32 `json:"readyReplicas,omitempty"`
CurrentReplicas int32 `json:"currentReplicas,omitempty"`
UpdatedReplicas int32 `json:"updatedReplicas,omitempty"`
CurrentRevision string `json:"currentRevision,omitempty"`
UpdateRevision string `json:"updateRevision,omitempty"`
// +optional
CollisionCount *int32 `json:"collisionCount,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []StatefulSetCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
AvailableReplicas int32 `json:"availableReplicas"`
}

type StatefulSetConditionType string

//release 1.37
const (
StatefulSetProgressing StatefulSetConditionType = "Progressing"
)

//release
type StatefulSetCondition struct {
//release 1.37
// +optional
//release
Type StatefulSetConditionType `json:"type"`
//release 1.37
// +optional
//release
Status v1.ConditionStatus `json:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type StatefulSetList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []StatefulSet `json:"items"`
}

//release 1.37
// +k8s:supportsSubresource="/scale"
// +k8s:supportsSubresource="/status"
//release
type Deployment struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.33 1.34 1.35 1.36
// +optional
//release 1.37
// +required
//release
Spec DeploymentSpec `json:"spec,omitempty"`
// +optional
Status DeploymentStatus `json:"status,omitempty"`
}

type DeploymentSpec struct {
// +optional
Replicas *int32 `json:"replicas,omitempty"`
//release 1.37
// +required
//release
Selector *metav1.LabelSelector `json:"selector"`
//release 1.37
// +required
//release
Template v1.PodTemplateSpec `json:"template"`
// +optional
// +patchStrategy=retainKeys
Strategy DeploymentStrategy `json:"strategy,omitempty" patchStrategy:"retainKeys"`
// +optional
MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
// +optional
RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`
// +optional
Paused bool `json:"paused,omitempty"`
//release 1.37
// +optional
//release
ProgressDeadlineSeconds *int32 `json:"progressDeadlineSeconds,omitempty"`
}

const (
DefaultDeploymentUniqueLabelKey string = "pod-template-hash"
)

type DeploymentStrategy struct {
// +optional
Type DeploymentStrategyType `json:"type,omitempty"`
// +optional
RollingUpdate *RollingUpdateDeployment `json:"rollingUpdate,omitempty"`
}

// +enum
type DeploymentStrategyType string

const (
RecreateDeploymentStrategyType DeploymentStrategyType = "Recreate"
RollingUpdateDeploymentStrategyType DeploymentStrategyType = "RollingUpdate"
)

type RollingUpdateDeployment struct {
// +optional
MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
// +optional
MaxSurge *intstr.IntOrString `json:"maxSurge,omitempty"`
}

type DeploymentStatus struct {
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
Replicas int32 `json:"replicas,omitempty"`
// +optional
UpdatedReplicas int32 `json:"updatedReplicas,omitempty"`
// +optional
ReadyReplicas int32 `json:"readyReplicas,omitempty"`
// +optional
AvailableReplicas int32 `json:"availableReplicas,omitempty"`
// +optional
UnavailableReplicas int32 `json:"unavailableReplicas,omitempty"`
// +optional
TerminatingReplicas *int32 `json:"terminatingReplicas,omitempty"`
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []DeploymentCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
CollisionCount *int32 `json:"collisionCount,omitempty"`
}

type DeploymentConditionType string

const (
DeploymentAvailable DeploymentConditionType = "Available"
DeploymentProgressing DeploymentConditionType = "Progressing"
DeploymentReplicaFailure DeploymentConditionType = "ReplicaFailure"
)

type DeploymentCondition struct {
//release 1.37
// +optional
//release
Type DeploymentConditionType `json:"type"`
//release 1.37
// +optional
//release
Status v1.ConditionStatus `json:"status"`
//release 1.37
// +optional
//release
LastUpdateTime metav1.Time `json:"lastUpdateTime,omitempty"`
//release 1.37
// +optional
//release
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
//release 1.37
// +optional
//release
Reason string `json:"reason,omitempty"`
//release 1.37
// +optional
//release
Message string `json:"message,omitempty"`
}

type DeploymentList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Deployment `json:"items"`
}

type DaemonSetUpdateStrategy struct {
// +optional
Type DaemonSetUpdateStrategyType `json:"type,omitempty"`
// +optional
RollingUpdate *RollingUpdateDaemonSet `json:"rollingUpdate,omitempty"`
}

// +enum
type DaemonSetUpdateStrategyType string

const (
RollingUpdateDaemonSetStrategyType DaemonSetUpdateStrategyType = "RollingUpdate"
OnDeleteDaemonSetStrategyType DaemonSetUpdateStrategyType = "OnDelete"
)

type RollingUpdateDaemonSet struct {
// +optional
MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
// +optional
MaxSurge *intstr.IntOrString `json:"maxSurge,omitempty"`
}

type DaemonSetSpec struct {
//release 1.37
// +required
//release
Selector *metav1.LabelSelector `json:"selector"`
//release 1.37
// +required
//release
Template v1.PodTemplateSpec `json:"template"`
// +optional
UpdateStrategy DaemonSetUpdateStrategy `json:"updateStrategy,omitempty"`
// +optional
MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
// +optional
RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`
}

type DaemonSetStatus struct {
CurrentNumberScheduled int32 `json:"currentNumberScheduled"`
NumberMisscheduled int32 `json:"numberMisscheduled"`
DesiredNumberScheduled int32 `json:"desiredNumberScheduled"`
NumberReady int32 `json:"numberReady"`
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
UpdatedNumberScheduled int32 `json:"updatedNumberScheduled,omitempty"`
// +optional
NumberAvailable int32 `json:"numberAvailable,omitempty"`
// +optional
NumberUnavailable int32 `json:"numberUnavailable,omitempty"`
// +optional
CollisionCount *int32 `json:"collisionCount,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []DaemonSetCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type DaemonSetConditionType string

type DaemonSetCondition struct {
//release 1.37
// +optional
//release
Type DaemonSetConditionType `json:"type"`
//release 1.37
// +optional
//release
Status v1.ConditionStatus `json:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type DaemonSet struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.33 1.34 1.35 1.36
// +optional
//release 1.37
// +required
//release
Spec DaemonSetSpec `json:"spec,omitempty"`
// +optional
Status DaemonSetStatus `json:"status,omitempty"`
}

const (
DefaultDaemonSetUniqueLabelKey = ControllerRevisionHashLabelKey
)

type DaemonSetList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []DaemonSet `json:"items"`
}

//release 1.37
// +k8s:supportsSubresource="/scale"
// +k8s:supportsSubresource="/status"
//release
type ReplicaSet struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.33 1.34 1.35 1.36
// +optional
//release 1.37
// +required
//release
Spec ReplicaSetSpec `json:"spec,omitempty"`
// +optional
Status ReplicaSetStatus `json:"status,omitempty"`
}

type ReplicaSetList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ReplicaSet `json:"items"`
}

type ReplicaSetSpec struct {
// +optional
Replicas *int32 `json:"replicas,omitempty"`
// +optional
MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
//release 1.37
// +required
//release
Selector *metav1.LabelSelector `json:"selector"`
// +optional
Template v1.PodTemplateSpec `json:"template,omitempty"`
}

type ReplicaSetStatus struct {
Replicas int32 `json:"replicas"`
// +optional
FullyLabeledReplicas int32 `json:"fullyLabeledReplicas,omitempty"`
// +optional
ReadyReplicas int32 `json:"readyReplicas,omitempty"`
// +optional
AvailableReplicas int32 `json:"availableReplicas,omitempty"`
// +optional
TerminatingReplicas *int32 `json:"terminatingReplicas,omitempty"`
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []ReplicaSetCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type ReplicaSetConditionType string

const (
ReplicaSetReplicaFailure ReplicaSetConditionType = "ReplicaFailure"
)

type ReplicaSetCondition struct {
//release 1.37
// +optional
//release
Type ReplicaSetConditionType `json:"type"`
//release 1.37
// +optional
//release
Status v1.ConditionStatus `json:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type ControllerRevision struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.33 1.34 1.35 1.36
Data runtime.RawExtension `json:"data,omitempty"`
//release 1.37
// +required
Data runtime.RawExtension `json:"data"`
// +optional
//release
Revision int64 `json:"revision"`
}

type ControllerRevisionList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ControllerRevision `json:"items"`
}
