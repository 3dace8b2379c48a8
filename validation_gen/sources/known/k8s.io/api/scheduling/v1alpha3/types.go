//release 1.37
// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.
//release

//release 1.37
// +groupName=scheduling.k8s.io
// +k8s:validation-gen=*
// +k8s:validation-gen-input=k8s.io/api/scheduling/v1alpha3
// +k8s:validation-gen-scheme-registry=nil
package v1alpha3

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "scheduling.k8s.io"

type Workload struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +required
Spec WorkloadSpec `json:"spec"`
}

type WorkloadList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Workload `json:"items"`
}

const (
WorkloadMaxPodGroupTemplates = 8
WorkloadMaxTreeDepth = 4
)

type WorkloadSpec struct {
// +optional
// +k8s:optional
// +k8s:immutable
ControllerRef *TypedLocalObjectReference `json:"controllerRef,omitempty"`
// +optional
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:unionMember
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=8
// +k8s:update=NoAddItem
// +k8s:update=NoRemoveItem
PodGroupTemplates []PodGroupTemplate `json:"podGroupTemplates"`
// +optional
// +listType=map
// +listMapKey=name
// +k8s:ifDisabled("CompositePodGroup")=+k8s:forbidden
// +k8s:ifEnabled("CompositePodGroup")=+k8s:optional
// +k8s:unionMember
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=8
// +k8s:update=NoAddItem
// +k8s:update=NoRemoveItem
CompositePodGroupTemplates []CompositePodGroupTemplate `json:"compositePodGroupTemplates,omitempty"`
}

type TypedLocalObjectReference struct {
// +optional
// +k8s:optional
// +k8s:format=k8s-long-name
APIGroup string `json:"apiGroup,omitempty"`
// +required
// +k8s:required
// +k8s:format=k8s-path-segment-name
Kind string `json:"kind"`
// +required
// +k8s:required
// +k8s:format=k8s-path-segment-name
Name string `json:"name"`
}

const MaxPodGroupResourceClaims = 4

type PodGroupTemplate struct {
// +required
// +k8s:required
// +k8s:format=k8s-short-name
Name string `json:"name"`
// +required
SchedulingPolicy PodGroupSchedulingPolicy `json:"schedulingPolicy"`
// +optional
// +k8s:ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden
// +k8s:ifEnabled(TopologyAwareWorkloadScheduling)=+k8s:optional
// +k8s:immutable
SchedulingConstraints *PodGroupSchedulingConstraints `json:"schedulingConstraints"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge,retainKeys
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=4
// +k8s:immutable
ResourceClaims []PodGroupResourceClaim `json:"resourceClaims,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
// +optional
// +k8s:optional
// +k8s:immutable
DisruptionMode *DisruptionMode `json:"disruptionMode,omitempty"`
// +optional
// +k8s:optional
// +k8s:format=k8s-long-name
// +k8s:immutable
PriorityClassName string `json:"priorityClassName,omitempty"`
// +optional
// +k8s:optional
// +k8s:maximum=1000000000 # HighestUserDefinablePriority
// +k8s:immutable
Priority *int32 `json:"priority,omitempty"`
// +optional
// +k8s:immutable
// +k8s:ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden
// +k8s:ifEnabled("PodGroupPreemptionPolicy")=+k8s:optional
PreemptionPolicy *PreemptionPolicy `json:"preemptionPolicy,omitempty"`
}

type CompositePodGroupTemplate struct {
// +required
// +k8s:required
// +k8s:format=k8s-short-name
Name string `json:"name"`
// +required
SchedulingPolicy CompositePodGroupSchedulingPolicy `json:"schedulingPolicy"`
// +optional
// +k8s:optional
// +k8s:immutable
SchedulingConstraints *CompositePodGroupSchedulingConstraints `json:"schedulingConstraints,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
DisruptionMode *CompositeDisruptionMode `json:"disruptionMode,omitempty"`
// +optional
// +k8s:optional
// +k8s:format=k8s-long-name
// +k8s:immutable
PriorityClassName string `json:"priorityClassName,omitempty"`
// +optional
// +k8s:optional
// +k8s:maximum=1000000000 # HighestUserDefinablePriority
// +k8s:immutable
Priority *int32 `json:"priority,omitempty"`
// +optional
// +k8s:immutable
// +k8s:ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden
// +k8s:ifEnabled("PodGroupPreemptionPolicy")=+k8s:optional
PreemptionPolicy *PreemptionPolicy `json:"preemptionPolicy,omitempty"`
// +optional
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=8
// +k8s:update=NoAddItem
// +k8s:update=NoRemoveItem
PodGroupTemplates []PodGroupTemplate `json:"podGroupTemplates,omitempty"`
// +optional
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=8
// +k8s:update=NoAddItem
// +k8s:update=NoRemoveItem
CompositePodGroupTemplates []CompositePodGroupTemplate `json:"compositePodGroupTemplates,omitempty"`
}

type PodGroupSchedulingPolicy struct {
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:immutable
Basic *BasicSchedulingPolicy `json:"basic,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:update=NoSet
// +k8s:update=NoUnset
Gang *GangSchedulingPolicy `json:"gang,omitempty"`
}

type BasicSchedulingPolicy struct {
}

type GangSchedulingPolicy struct {
// +required
// +k8s:required
// +k8s:minimum=1
MinCount int32 `json:"minCount"`
}

type PodGroupResourceClaim struct {
// +required
// +k8s:required
// +k8s:format=k8s-short-name
Name string `json:"name"`
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:format=k8s-long-name
ResourceClaimName *string `json:"resourceClaimName,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:format=k8s-long-name
ResourceClaimTemplateName *string `json:"resourceClaimTemplateName,omitempty"`
}

type DisruptionMode struct {
// +optional
// +k8s:optional
// +k8s:unionMember
Single *SingleDisruptionMode `json:"single,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
All *AllDisruptionMode `json:"all,omitempty"`
}

type SingleDisruptionMode struct {
}

type AllDisruptionMode struct {
}

// +enum
// +k8s:enum
type PreemptionPolicy string

const (
PreemptLowerPriority PreemptionPolicy = "PreemptLowerPriority"
PreemptNever PreemptionPolicy = "Never"
)

// +k8s:supportsSubresource="/status"

type PodGroup struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +required
Spec PodGroupSpec `json:"spec"`
// +optional
Status PodGroupStatus `json:"status,omitempty"`
}

type PodGroupList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PodGroup `json:"items"`
}

type PodGroupSpec struct {
// +optional
// +k8s:ifDisabled(CompositePodGroup)=+k8s:forbidden
// +k8s:ifEnabled(CompositePodGroup)=+k8s:optional
// +k8s:immutable
// +k8s:format=k8s-long-name
// +k8s:alpha(since: "1.37")=+k8s:dependentRequired("workloadRef")
ParentCompositePodGroupName *string `json:"parentCompositePodGroupName,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
WorkloadRef *WorkloadReference `json:"workloadRef,omitempty"`
// +required
SchedulingPolicy PodGroupSchedulingPolicy `json:"schedulingPolicy"`
// +optional
// +k8s:ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden
// +k8s:ifEnabled(TopologyAwareWorkloadScheduling)=+k8s:optional
// +k8s:ifEnabled(TopologyAwareWorkloadScheduling)=+k8s:immutable
SchedulingConstraints *PodGroupSchedulingConstraints `json:"schedulingConstraints,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge,retainKeys
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=4
// +k8s:immutable
ResourceClaims []PodGroupResourceClaim `json:"resourceClaims,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
// +default={"single": {}}
// +optional
// +k8s:optional
// +k8s:immutable
DisruptionMode *DisruptionMode `json:"disruptionMode,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
// +k8s:format=k8s-long-name
PriorityClassName string `json:"priorityClassName,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
// +k8s:maximum=1000000000 # HighestUserDefinablePriority
Priority *int32 `json:"priority,omitempty"`
// +optional
// +k8s:immutable
// +k8s:ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden
// +k8s:ifEnabled("PodGroupPreemptionPolicy")=+k8s:optional
PreemptionPolicy *PreemptionPolicy `json:"preemptionPolicy,omitempty"`
}

type PodGroupStatus struct {
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:listType=map
// +k8s:alpha(since: "1.37")=+k8s:listMapKey=type
Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge,retainKeys
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=4
ResourceClaimStatuses []PodGroupResourceClaimStatus `json:"resourceClaimStatuses,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
}

const (
PodGroupInitiallyScheduled string = "PodGroupInitiallyScheduled"
DisruptionTarget string = "DisruptionTarget"
)

const (
PodGroupReasonUnschedulable string = "Unschedulable"
PodGroupReasonSchedulerError string = "SchedulerError"
PodGroupReasonPreemptionByScheduler string = "PreemptionByScheduler"
)

type PodGroupResourceClaimStatus struct {
// +required
Name string `json:"name"`
// +optional
// +k8s:optional
// +k8s:format=k8s-long-name
ResourceClaimName *string `json:"resourceClaimName,omitempty"`
}

type WorkloadReference struct {
// +required
// +k8s:required
// +k8s:format=k8s-long-name
WorkloadName string `json:"workloadName"`
// +required
// +k8s:required
// +k8s:format=k8s-short-name
TemplateName string `json:"templateName"`
}

type PodGroupSchedulingConstraints struct {
// +optional
// +k8s:optional
// +k8s:maxItems=1
// +listType=atomic
// +k8s:listType=atomic
Topology []TopologyConstraint `json:"topology,omitempty"`
}

type TopologyConstraint struct {
// +required
// +k8s:required
// +k8s:format=k8s-label-key
Key string `json:"key"`
}

type WorkloadPodGroupSchedulingPolicy struct {
// +optional
// +k8s:optional
// +k8s:unionMember
Basic *WorkloadPodGroupBasicSchedulingPolicy `json:"basic,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
Gang *WorkloadPodGroupGangSchedulingPolicy `json:"gang,omitempty"`
}

type WorkloadPodGroupBasicSchedulingPolicy struct {
}

type WorkloadPodGroupGangSchedulingPolicy struct {
// +optional
// +k8s:optional
// +k8s:minimum=1
MinCount *int32 `json:"minCount,omitempty"`
}

type WorkloadPodGroupSchedulingConstraints struct {
// +optional
// +k8s:optional
// +k8s:maxItems=1
// +listType=atomic
// +k8s:listType=atomic
Topology []TopologyConstraint `json:"topology,omitempty"`
}

type WorkloadPodGroupResourceClaim struct {
// +required
// +k8s:required
// +k8s:format=k8s-short-name
Name string `json:"name"`
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:format=k8s-long-name
ResourceClaimName *string `json:"resourceClaimName,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:format=k8s-long-name
ResourceClaimTemplateName *string `json:"resourceClaimTemplateName,omitempty"`
}

type WorkloadPodGroupDisruptionMode struct {
// +optional
// +k8s:optional
// +k8s:unionMember
Single *WorkloadPodGroupSingleDisruptionMode `json:"single,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
All *WorkloadPodGroupAllDisruptionMode `json:"all,omitempty"`
}

type WorkloadPodGroupSingleDisruptionMode struct {
}

type WorkloadPodGroupAllDisruptionMode struct {
}

type WorkloadCompositePodGroupSchedulingPolicy struct {
// +optional
// +k8s:optional
// +k8s:unionMember
Basic *WorkloadCompositePodGroupBasicSchedulingPolicy `json:"basic,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
Gang *WorkloadCompositePodGroupGangSchedulingPolicy `json:"gang,omitempty"`
}

type WorkloadCompositePodGroupBasicSchedulingPolicy struct {
}

type WorkloadCompositePodGroupGangSchedulingPolicy struct {
// +optional
// +k8s:optional
// +k8s:minimum=1
MinGroupCount *int32 `json:"minGroupCount,omitempty"`
}

type WorkloadCompositePodGroupSchedulingConstraints struct {
// +optional
// +k8s:optional
// +k8s:maxItems=1
// +listType=atomic
// +k8s:listType=atomic
Topology []TopologyConstraint `json:"topology,omitempty"`
}

type WorkloadCompositePodGroupDisruptionMode struct {
// +optional
// +k8s:optional
// +k8s:unionMember
Single *WorkloadCompositePodGroupSingleDisruptionMode `json:"single,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
All *WorkloadCompositePodGroupAllDisruptionMode `json:"all,omitempty"`
}

type WorkloadCompositePodGroupSingleDisruptionMode struct {
}

type WorkloadCompositePodGroupAllDisruptionMode struct {
}

// +k8s:supportsSubresource="/status"

type CompositePodGroup struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +required
Spec CompositePodGroupSpec `json:"spec"`
// +optional
Status CompositePodGroupStatus `json:"status,omitempty"`
}

type CompositePodGroupList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []CompositePodGroup `json:"items"`
}

type CompositePodGroupSpec struct {
// +optional
// +k8s:optional
// +k8s:immutable
// +k8s:format=k8s-long-name
ParentCompositePodGroupName *string `json:"parentCompositePodGroupName,omitempty"`
// +required
// +k8s:required
// +k8s:immutable
WorkloadRef *WorkloadReference `json:"workloadRef"`
// +required
// +k8s:immutable
SchedulingPolicy CompositePodGroupSchedulingPolicy `json:"schedulingPolicy"`
// +optional
// +k8s:optional
// +k8s:immutable
SchedulingConstraints *CompositePodGroupSchedulingConstraints `json:"schedulingConstraints,omitempty"`
// +default={"single": {}}
// +optional
// +k8s:optional
// +k8s:immutable
DisruptionMode *CompositeDisruptionMode `json:"disruptionMode,omitempty"`
// +optional
// +k8s:optional
// +k8s:format=k8s-long-name
// +k8s:immutable
PriorityClassName string `json:"priorityClassName,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
// +k8s:maximum=1000000000 # HighestUserDefinablePriority
Priority *int32 `json:"priority,omitempty"`
// +optional
// +k8s:immutable
// +k8s:ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden
// +k8s:ifEnabled("PodGroupPreemptionPolicy")=+k8s:optional
PreemptionPolicy *PreemptionPolicy `json:"preemptionPolicy,omitempty"`
}

type CompositePodGroupSchedulingPolicy struct {
// +optional
// +k8s:optional
// +k8s:immutable
// +k8s:unionMember
Basic *CompositeBasicSchedulingPolicy `json:"basic,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
// +k8s:update=NoSet
// +k8s:update=NoUnset
Gang *CompositeGangSchedulingPolicy `json:"gang,omitempty"`
}

type CompositeBasicSchedulingPolicy struct {
}

type CompositeGangSchedulingPolicy struct {
// +required
// +k8s:required
// +k8s:minimum=1
MinGroupCount int32 `json:"minGroupCount"`
}

type CompositeDisruptionMode struct {
// +optional
// +k8s:optional
// +k8s:unionMember
Single *SingleCompositeDisruptionMode `json:"single,omitempty"`
// +optional
// +k8s:optional
// +k8s:unionMember
All *AllCompositeDisruptionMode `json:"all,omitempty"`
}

type SingleCompositeDisruptionMode struct {
}

type AllCompositeDisruptionMode struct {
}

type CompositePodGroupStatus struct {
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

type CompositePodGroupSchedulingConstraints struct {
// +optional
// +k8s:optional
// +k8s:maxItems=1
// +listType=atomic
// +k8s:listType=atomic
Topology []TopologyConstraint `json:"topology,omitempty"`
}
