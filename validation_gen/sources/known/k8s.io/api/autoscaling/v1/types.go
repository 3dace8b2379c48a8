// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import resource "k8s.io/apimachinery/pkg/api/resource"
import v1 "k8s.io/api/core/v1"

const GroupName = "autoscaling"

// +structType=atomic
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
// +optional
TargetCPUUtilizationPercentage *int32 `json:"targetCPUUtilizationPercentage,omitempty"`
}

type HorizontalPodAutoscalerStatus struct {
// +optional
ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
// +optional
LastScaleTime *metav1.Time `json:"lastScaleTime,omitempty"`
CurrentReplicas int32 `json:"currentReplicas"`
DesiredReplicas int32 `json:"desiredReplicas"`
// +optional
CurrentCPUUtilizationPercentage *int32 `json:"currentCPUUtilizationPercentage,omitempty"`
}

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

//release 1.34 1.35
// +k8s:isSubresource=/scale
//release 1.36 1.37
// +k8s:isSubresource="/scale"
//release 1.34 1.35 1.36 1.37

//release
type Scale struct {
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
Spec ScaleSpec `json:"spec,omitempty"`
// +optional
Status ScaleStatus `json:"status,omitempty"`
}

type ScaleSpec struct {
// +optional
//release 1.34 1.35
// +k8s:optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release 1.34 1.35 1.36 1.37
// +default=0
//release 1.34 1.35
// +k8s:minimum=0
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:minimum=0
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:minimum=0
//release
Replicas int32 `json:"replicas,omitempty"`
}

type ScaleStatus struct {
Replicas int32 `json:"replicas"`
// +optional
Selector string `json:"selector,omitempty"`
}

// +enum
type MetricSourceType string

const (
ObjectMetricSourceType MetricSourceType = "Object"
PodsMetricSourceType MetricSourceType = "Pods"
ResourceMetricSourceType MetricSourceType = "Resource"
ContainerResourceMetricSourceType MetricSourceType = "ContainerResource"
ExternalMetricSourceType MetricSourceType = "External"
)

type MetricSpec struct {
Type MetricSourceType `json:"type"`
// +optional
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

type ObjectMetricSource struct {
Target CrossVersionObjectReference `json:"target"`
MetricName string `json:"metricName"`
TargetValue resource.Quantity `json:"targetValue"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
// +optional
AverageValue *resource.Quantity `json:"averageValue,omitempty"`
}

type PodsMetricSource struct {
MetricName string `json:"metricName"`
TargetAverageValue resource.Quantity `json:"targetAverageValue"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

type ResourceMetricSource struct {
Name v1.ResourceName `json:"name"`
// +optional
TargetAverageUtilization *int32 `json:"targetAverageUtilization,omitempty"`
// +optional
TargetAverageValue *resource.Quantity `json:"targetAverageValue,omitempty"`
}

type ContainerResourceMetricSource struct {
Name v1.ResourceName `json:"name"`
// +optional
TargetAverageUtilization *int32 `json:"targetAverageUtilization,omitempty"`
// +optional
TargetAverageValue *resource.Quantity `json:"targetAverageValue,omitempty"`
Container string `json:"container"`
}

type ExternalMetricSource struct {
MetricName string `json:"metricName"`
// +optional
MetricSelector *metav1.LabelSelector `json:"metricSelector,omitempty"`
// +optional
TargetValue *resource.Quantity `json:"targetValue,omitempty"`
// +optional
TargetAverageValue *resource.Quantity `json:"targetAverageValue,omitempty"`
}

type MetricStatus struct {
Type MetricSourceType `json:"type"`
// +optional
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

type ObjectMetricStatus struct {
Target CrossVersionObjectReference `json:"target"`
MetricName string `json:"metricName"`
CurrentValue resource.Quantity `json:"currentValue"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
// +optional
AverageValue *resource.Quantity `json:"averageValue,omitempty"`
}

type PodsMetricStatus struct {
MetricName string `json:"metricName"`
CurrentAverageValue resource.Quantity `json:"currentAverageValue"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

type ResourceMetricStatus struct {
Name v1.ResourceName `json:"name"`
// +optional
CurrentAverageUtilization *int32 `json:"currentAverageUtilization,omitempty"`
CurrentAverageValue resource.Quantity `json:"currentAverageValue"`
}

type ContainerResourceMetricStatus struct {
Name v1.ResourceName `json:"name"`
// +optional
CurrentAverageUtilization *int32 `json:"currentAverageUtilization,omitempty"`
CurrentAverageValue resource.Quantity `json:"currentAverageValue"`
Container string `json:"container"`
}

type ExternalMetricStatus struct {
MetricName string `json:"metricName"`
// +optional
MetricSelector *metav1.LabelSelector `json:"metricSelector,omitempty"`
CurrentValue resource.Quantity `json:"currentValue"`
// +optional
CurrentAverageValue *resource.Quantity `json:"currentAverageValue,omitempty"`
}
