// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import resource "k8s.io/apimachinery/pkg/api/resource"
import v1 "k8s.io/api/core/v1"

const GroupName = "autoscaling"

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type HorizontalPodAutoscaler struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.33 1.34 1.35
// +optional
//release 1.36 1.37
// +required
//release
Spec HorizontalPodAutoscalerSpec `json:"spec,omitempty"`
// +optional
Status HorizontalPodAutoscalerStatus `json:"status,omitempty"`
}

type HorizontalPodAutoscalerSpec struct {
ScaleTargetRef CrossVersionObjectReference `json:"scaleTargetRef"`
// +optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
// +k8s:alpha(since: "1.36")=+k8s:ifEnabled(HPAScaleToZero)=+k8s:minimum=0
// +k8s:alpha(since: "1.36")=+k8s:ifDisabled(HPAScaleToZero)=+k8s:minimum=1
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
// +k8s:beta(since: "1.37")=+k8s:ifEnabled(HPAScaleToZero)=+k8s:minimum=0
// +k8s:beta(since: "1.37")=+k8s:ifDisabled(HPAScaleToZero)=+k8s:minimum=1
//release
MinReplicas *int32 `json:"minReplicas,omitempty"`
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
// +k8s:alpha(since: "1.36")=+k8s:minimum=1
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
// +k8s:beta(since: "1.37")=+k8s:minimum=1
//release
MaxReplicas int32 `json:"maxReplicas"`
// +listType=atomic
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
Metrics []MetricSpec `json:"metrics,omitempty"`
// +optional
Behavior *HorizontalPodAutoscalerBehavior `json:"behavior,omitempty"`
}

type CrossVersionObjectReference struct {
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:required
//release
Kind string `json:"kind"`
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:required
//release
Name string `json:"name"`
// +optional
APIVersion string `json:"apiVersion,omitempty"`
}

type MetricSpec struct {
Type MetricSourceType `json:"type"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:opaqueType
//release
Object *ObjectMetricSource `json:"object,omitempty"`
// +optional
Pods *PodsMetricSource `json:"pods,omitempty"`
// +optional
Resource *ResourceMetricSource `json:"resource,omitempty"`
// +optional
ContainerResource *ContainerResourceMetricSource `json:"containerResource,omitempty"`
// +optional
External *ExternalMetricSource `json:"external,omitempty"`
}

type HorizontalPodAutoscalerBehavior struct {
// +optional
ScaleUp *HPAScalingRules `json:"scaleUp,omitempty"`
// +optional
ScaleDown *HPAScalingRules `json:"scaleDown,omitempty"`
}

type ScalingPolicySelect string

const (
MaxChangePolicySelect ScalingPolicySelect = "Max"
MinChangePolicySelect ScalingPolicySelect = "Min"
DisabledPolicySelect ScalingPolicySelect = "Disabled"
)

type HPAScalingRules struct {
// +optional
StabilizationWindowSeconds *int32 `json:"stabilizationWindowSeconds,omitempty"`
// +optional
SelectPolicy *ScalingPolicySelect `json:"selectPolicy,omitempty"`
// +listType=atomic
// +optional
Policies []HPAScalingPolicy `json:"policies,omitempty"`
// +optional
Tolerance *resource.Quantity `json:"tolerance,omitempty"`
}

type HPAScalingPolicyType string

const (
PodsScalingPolicy HPAScalingPolicyType = "Pods"
PercentScalingPolicy HPAScalingPolicyType = "Percent"
)

type HPAScalingPolicy struct {
Type HPAScalingPolicyType `json:"type"`
Value int32 `json:"value"`
PeriodSeconds int32 `json:"periodSeconds"`
}

type MetricSourceType string

const (
ObjectMetricSourceType MetricSourceType = "Object"
PodsMetricSourceType MetricSourceType = "Pods"
ResourceMetricSourceType MetricSourceType = "Resource"
ContainerResourceMetricSourceType MetricSourceType = "ContainerResource"
ExternalMetricSourceType MetricSourceType = "External"
)

type ObjectMetricSource struct {
DescribedObject CrossVersionObjectReference `json:"describedObject"`
Target MetricTarget `json:"target"`
Metric MetricIdentifier `json:"metric"`
}

type PodsMetricSource struct {
Metric MetricIdentifier `json:"metric"`
Target MetricTarget `json:"target"`
}

type ResourceMetricSource struct {
Name v1.ResourceName `json:"name"`
Target MetricTarget `json:"target"`
}

type ContainerResourceMetricSource struct {
Name v1.ResourceName `json:"name"`
Target MetricTarget `json:"target"`
Container string `json:"container"`
}

type ExternalMetricSource struct {
Metric MetricIdentifier `json:"metric"`
Target MetricTarget `json:"target"`
}

type MetricIdentifier struct {
Name string `json:"name"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

type MetricTarget struct {
Type MetricTargetType `json:"type"`
// +optional
Value *resource.Quantity `json:"value,omitempty"`
// +optional
AverageValue *resource.Quantity `json:"averageValue,omitempty"`
// +optional
AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}

type MetricTargetType string

const (
UtilizationMetricType MetricTargetType = "Utilization"
ValueMetricType MetricTargetType = "Value"
AverageValueMetricType MetricTargetType = "AverageValue"
)

type HorizontalPodAutoscalerStatus struct {
// +optional
ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
// +optional
LastScaleTime *metav1.Time `json:"lastScaleTime,omitempty"`
// +optional
CurrentReplicas int32 `json:"currentReplicas,omitempty"`
DesiredReplicas int32 `json:"desiredReplicas"`
// +listType=atomic
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
CurrentMetrics []MetricStatus `json:"currentMetrics"`
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
// +optional
Conditions []HorizontalPodAutoscalerCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type HorizontalPodAutoscalerConditionType string

const (
ScalingActive HorizontalPodAutoscalerConditionType = "ScalingActive"
AbleToScale HorizontalPodAutoscalerConditionType = "AbleToScale"
ScalingLimited HorizontalPodAutoscalerConditionType = "ScalingLimited"
//release 1.36 1.37
ScaledToZero HorizontalPodAutoscalerConditionType = "ScaledToZero"
//release
)

type HorizontalPodAutoscalerCondition struct {
Type HorizontalPodAutoscalerConditionType `json:"type"`
Status v1.ConditionStatus `json:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
//release 1.37
// +optional
ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
//release
}

type MetricStatus struct {
Type MetricSourceType `json:"type"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:opaqueType
//release
Object *ObjectMetricStatus `json:"object,omitempty"`
// +optional
Pods *PodsMetricStatus `json:"pods,omitempty"`
// +optional
Resource *ResourceMetricStatus `json:"resource,omitempty"`
// +optional
ContainerResource *ContainerResourceMetricStatus `json:"containerResource,omitempty"`
// +optional
External *ExternalMetricStatus `json:"external,omitempty"`
}

type ObjectMetricStatus struct {
Metric MetricIdentifier `json:"metric"`
Current MetricValueStatus `json:"current"`
DescribedObject CrossVersionObjectReference `json:"describedObject"`
}

type PodsMetricStatus struct {
Metric MetricIdentifier `json:"metric"`
Current MetricValueStatus `json:"current"`
}

type ResourceMetricStatus struct {
Name v1.ResourceName `json:"name"`
Current MetricValueStatus `json:"current"`
}

type ContainerResourceMetricStatus struct {
Name v1.ResourceName `json:"name"`
Current MetricValueStatus `json:"current"`
Container string `json:"container"`
}

type ExternalMetricStatus struct {
Metric MetricIdentifier `json:"metric"`
Current MetricValueStatus `json:"current"`
}

type MetricValueStatus struct {
// +optional
Value *resource.Quantity `json:"value,omitempty"`
// +optional
AverageValue *resource.Quantity `json:"averageValue,omitempty"`
// +optional
AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}

type HorizontalPodAutoscalerList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []HorizontalPodAutoscaler `json:"items"`
}
