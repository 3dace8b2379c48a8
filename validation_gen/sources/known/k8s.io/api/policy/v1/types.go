// Code generated from k8s.io/api by validation_gen/sources/facts.py. DO NOT EDIT.

package v1

import intstr "k8s.io/apimachinery/pkg/util/intstr"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "policy"

const DisruptionBudgetCause metav1.CauseType = "DisruptionBudget"

type PodDisruptionBudgetSpec struct {
// +optional
MinAvailable *intstr.IntOrString `json:"minAvailable,omitempty"`
// +patchStrategy=replace
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty" patchStrategy:"replace"`
// +optional
MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
// +optional
UnhealthyPodEvictionPolicy *UnhealthyPodEvictionPolicyType `json:"unhealthyPodEvictionPolicy,omitempty"`
}

// +enum
type UnhealthyPodEvictionPolicyType string

const (
IfHealthyBudget UnhealthyPodEvictionPolicyType = "IfHealthyBudget"
AlwaysAllow UnhealthyPodEvictionPolicyType = "AlwaysAllow"
)

type PodDisruptionBudgetStatus struct {
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
DisruptedPods map[string]metav1.Time `json:"disruptedPods,omitempty"`
// +optional
DisruptionsAllowed int32 `json:"disruptionsAllowed"`
// +optional
CurrentHealthy int32 `json:"currentHealthy"`
// +optional
DesiredHealthy int32 `json:"desiredHealthy"`
// +optional
ExpectedPods int32 `json:"expectedPods"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:listType=map
// +k8s:alpha(since: "1.37")=+k8s:listMapKey=type
Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

const (
DisruptionAllowedCondition = "DisruptionAllowed"
SyncFailedReason = "SyncFailed"
SufficientPodsReason = "SufficientPods"
InsufficientPodsReason = "InsufficientPods"
)

// +k8s:supportsSubresource="/status"
type PodDisruptionBudget struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec PodDisruptionBudgetSpec `json:"spec,omitempty"`
// +optional
Status PodDisruptionBudgetStatus `json:"status,omitempty"`
}

type PodDisruptionBudgetList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PodDisruptionBudget `json:"items"`
}

type Eviction struct {
metav1.TypeMeta `json:""`
// +optional
// +k8s:opaqueType
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
DeleteOptions *metav1.DeleteOptions `json:"deleteOptions,omitempty"`
}
