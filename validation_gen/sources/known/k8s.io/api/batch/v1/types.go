// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

package v1

import corev1 "k8s.io/api/core/v1"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
//release 1.37
import schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
//release
import types "k8s.io/apimachinery/pkg/types"

const GroupName = "batch"

const (
labelPrefix = "batch.kubernetes.io/"
CronJobScheduledTimestampAnnotation = labelPrefix + "cronjob-scheduled-timestamp"
JobCompletionIndexAnnotation = labelPrefix + "job-completion-index"
JobTrackingFinalizer = labelPrefix + "job-tracking"
JobNameLabel = labelPrefix + "job-name"
ControllerUidLabel = labelPrefix + "controller-uid"
JobIndexFailureCountAnnotation = labelPrefix + "job-index-failure-count"
JobIndexIgnoredFailureCountAnnotation = labelPrefix + "job-index-ignored-failure-count"
JobControllerName = "kubernetes.io/job-controller"
)

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type Job struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec JobSpec `json:"spec,omitempty"`
// +optional
Status JobStatus `json:"status,omitempty"`
}

type JobList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Job `json:"items"`
}

// +enum
type CompletionMode string

const (
NonIndexedCompletion CompletionMode = "NonIndexed"
IndexedCompletion CompletionMode = "Indexed"
)

// +enum
type PodFailurePolicyAction string

const (
PodFailurePolicyActionFailJob PodFailurePolicyAction = "FailJob"
PodFailurePolicyActionFailIndex PodFailurePolicyAction = "FailIndex"
PodFailurePolicyActionIgnore PodFailurePolicyAction = "Ignore"
PodFailurePolicyActionCount PodFailurePolicyAction = "Count"
)

// +enum
type PodFailurePolicyOnExitCodesOperator string

const (
PodFailurePolicyOnExitCodesOpIn PodFailurePolicyOnExitCodesOperator = "In"
PodFailurePolicyOnExitCodesOpNotIn PodFailurePolicyOnExitCodesOperator = "NotIn"
)

// +enum
type PodReplacementPolicy string

const (
TerminatingOrFailed PodReplacementPolicy = "TerminatingOrFailed"
Failed PodReplacementPolicy = "Failed"
)

type PodFailurePolicyOnExitCodesRequirement struct {
// +optional
ContainerName *string `json:"containerName,omitempty"`
Operator PodFailurePolicyOnExitCodesOperator `json:"operator"`
// +listType=set
Values []int32 `json:"values"`
}

type PodFailurePolicyOnPodConditionsPattern struct {
Type corev1.PodConditionType `json:"type"`
//release 1.35 1.36 1.37
// +optional
//release
Status corev1.ConditionStatus `json:"status"`
}

type PodFailurePolicyRule struct {
Action PodFailurePolicyAction `json:"action"`
// +optional
OnExitCodes *PodFailurePolicyOnExitCodesRequirement `json:"onExitCodes,omitempty"`
// +listType=atomic
// +optional
OnPodConditions []PodFailurePolicyOnPodConditionsPattern `json:"onPodConditions,omitempty"`
}

type PodFailurePolicy struct {
// +listType=atomic
Rules []PodFailurePolicyRule `json:"rules"`
}

type SuccessPolicy struct {
// +listType=atomic
Rules []SuccessPolicyRule `json:"rules"`
}

type SuccessPolicyRule struct {
// +optional
SucceededIndexes *string `json:"succeededIndexes,omitempty"`
// +optional
SucceededCount *int32 `json:"succeededCount,omitempty"`
}

type JobSpec struct {
// +optional
Parallelism *int32 `json:"parallelism,omitempty"`
// +optional
Completions *int32 `json:"completions,omitempty"`
// +optional
ActiveDeadlineSeconds *int64 `json:"activeDeadlineSeconds,omitempty"`
// +optional
PodFailurePolicy *PodFailurePolicy `json:"podFailurePolicy,omitempty"`
// +optional
SuccessPolicy *SuccessPolicy `json:"successPolicy,omitempty"`
// +optional
BackoffLimit *int32 `json:"backoffLimit,omitempty"`
// +optional
BackoffLimitPerIndex *int32 `json:"backoffLimitPerIndex,omitempty"`
// +optional
//release 1.37
// +k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:dependentRequired("backoffLimitPerIndex")
//release
MaxFailedIndexes *int32 `json:"maxFailedIndexes,omitempty"`
// +optional

// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
// +optional
ManualSelector *bool `json:"manualSelector,omitempty"`
Template corev1.PodTemplateSpec `json:"template"`
// +optional
TTLSecondsAfterFinished *int32 `json:"ttlSecondsAfterFinished,omitempty"`
// +optional
CompletionMode *CompletionMode `json:"completionMode,omitempty"`
// +optional
Suspend *bool `json:"suspend,omitempty"`
// +optional
PodReplacementPolicy *PodReplacementPolicy `json:"podReplacementPolicy,omitempty"`
// +optional
ManagedBy *string `json:"managedBy,omitempty"`
//release 1.37
// +optional
// +k8s:ifDisabled(WorkloadWithJob)=+k8s:forbidden
// +k8s:optional
// +k8s:update=NoSet
// +k8s:update=NoUnset
Scheduling *JobSchedulingConfiguration `json:"scheduling,omitempty"`
}

type JobSchedulingConfiguration struct {
// +optional
// +k8s:optional
// +k8s:update=NoSet
// +k8s:update=NoUnset
SchedulingPolicy *schedulingv1alpha3.WorkloadPodGroupSchedulingPolicy `json:"schedulingPolicy,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
SchedulingConstraints *schedulingv1alpha3.WorkloadPodGroupSchedulingConstraints `json:"schedulingConstraints,omitempty"`
// +optional
// +k8s:optional
// +k8s:immutable
DisruptionMode *schedulingv1alpha3.WorkloadPodGroupDisruptionMode `json:"disruptionMode,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=4
// +k8s:immutable
ResourceClaims []schedulingv1alpha3.WorkloadPodGroupResourceClaim `json:"resourceClaims,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
//release
}

type JobStatus struct {
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=atomic
Conditions []JobCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
StartTime *metav1.Time `json:"startTime,omitempty"`
// +optional
CompletionTime *metav1.Time `json:"completionTime,omitempty"`
// +optional
Active int32 `json:"active,omitempty"`
// +optional
Succeeded int32 `json:"succeeded,omitempty"`
// +optional
Failed int32 `json:"failed,omitempty"`
// +optional
Terminating *int32 `json:"terminating,omitempty"`
// +optional
CompletedIndexes string `json:"completedIndexes,omitempty"`
// +optional
FailedIndexes *string `json:"failedIndexes,omitempty"`
// +optional
UncountedTerminatedPods *UncountedTerminatedPods `json:"uncountedTerminatedPods,omitempty"`
Ready *int32 `json:"ready,omitempty"`
}

type UncountedTerminatedPods struct {
// +listType=set
// +optional
Succeeded []types.UID `json:"succeeded,omitempty"`
// +listType=set
// +optional
Failed []types.UID `json:"failed,omitempty"`
}

type JobConditionType string

const (
JobSuspended JobConditionType = "Suspended"
JobComplete JobConditionType = "Complete"
JobFailed JobConditionType = "Failed"
JobFailureTarget JobConditionType = "FailureTarget"
JobSuccessCriteriaMet JobConditionType = "SuccessCriteriaMet"
)

const (
JobReasonPodFailurePolicy string = "PodFailurePolicy"
JobReasonBackoffLimitExceeded string = "BackoffLimitExceeded"
JobReasonDeadlineExceeded string = "DeadlineExceeded"
JobReasonMaxFailedIndexesExceeded string = "MaxFailedIndexesExceeded"
JobReasonFailedIndexes string = "FailedIndexes"
JobReasonSuccessPolicy string = "SuccessPolicy"
JobReasonCompletionsReached string = "CompletionsReached"
)

type JobCondition struct {
Type JobConditionType `json:"type"`
Status corev1.ConditionStatus `json:"status"`
// +optional
LastProbeTime metav1.Time `json:"lastProbeTime,omitempty"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type JobTemplateSpec struct {
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec JobSpec `json:"spec,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type CronJob struct {
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
Spec CronJobSpec `json:"spec,omitempty"`
// +optional
Status CronJobStatus `json:"status,omitempty"`
}

type CronJobList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []CronJob `json:"items"`
}

type CronJobSpec struct {
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Schedule string `json:"schedule"`
// +optional
TimeZone *string `json:"timeZone,omitempty"`
// +optional
StartingDeadlineSeconds *int64 `json:"startingDeadlineSeconds,omitempty"`
// +optional
ConcurrencyPolicy ConcurrencyPolicy `json:"concurrencyPolicy,omitempty"`
// +optional
Suspend *bool `json:"suspend,omitempty"`
JobTemplate JobTemplateSpec `json:"jobTemplate"`
// +optional
SuccessfulJobsHistoryLimit *int32 `json:"successfulJobsHistoryLimit,omitempty"`
// +optional
FailedJobsHistoryLimit *int32 `json:"failedJobsHistoryLimit,omitempty"`
}

// +enum
type ConcurrencyPolicy string

const (
AllowConcurrent ConcurrencyPolicy = "Allow"
ForbidConcurrent ConcurrencyPolicy = "Forbid"
ReplaceConcurrent ConcurrencyPolicy = "Replace"
)

type CronJobStatus struct {
// +optional
// +listType=atomic
Active []corev1.ObjectReference `json:"active,omitempty"`
// +optional
LastScheduleTime *metav1.Time `json:"lastScheduleTime,omitempty"`
// +optional
LastSuccessfulTime *metav1.Time `json:"lastSuccessfulTime,omitempty"`
}
