// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

package v1beta1

import intstr "k8s.io/apimachinery/pkg/util/intstr"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "policy"

type PodDisruptionBudgetSpec struct {
// +optional
MinAvailable *intstr.IntOrString `json:"minAvailable,omitempty"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
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
//release 1.36 1.37
// +optional
//release
DisruptionsAllowed int32 `json:"disruptionsAllowed"`
//release 1.36 1.37
// +optional
//release
CurrentHealthy int32 `json:"currentHealthy"`
//release 1.36 1.37
// +optional
//release
DesiredHealthy int32 `json:"desiredHealthy"`
//release 1.36 1.37
// +optional
//release
ExpectedPods int32 `json:"expectedPods"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:listType=map
// +k8s:alpha(since: "1.37")=+k8s:listMapKey=type
//release
Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

const (
DisruptionAllowedCondition = "DisruptionAllowed"
SyncFailedReason = "SyncFailed"
SufficientPodsReason = "SufficientPods"
InsufficientPodsReason = "InsufficientPods"
)

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type PodDisruptionBudget struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec PodDisruptionBudgetSpec `json:"spec,omitempty"`
// +optional
Status PodDisruptionBudgetStatus `json:"status,omitempty"`
}

type PodDisruptionBudgetList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PodDisruptionBudget `json:"items"`
}

type Eviction struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
DeleteOptions *metav1.DeleteOptions `json:"deleteOptions,omitempty"`
}
