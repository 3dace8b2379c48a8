// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

package v1beta1

import batchv1 "k8s.io/api/batch/v1"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import v1 "k8s.io/api/core/v1"

const GroupName = "batch"

type JobTemplateSpec struct {
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec batchv1.JobSpec `json:"spec,omitempty"`
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

type ConcurrencyPolicy string

const (
AllowConcurrent ConcurrencyPolicy = "Allow"
ForbidConcurrent ConcurrencyPolicy = "Forbid"
ReplaceConcurrent ConcurrencyPolicy = "Replace"
)

type CronJobStatus struct {
// +optional
// +listType=atomic
Active []v1.ObjectReference `json:"active,omitempty"`
// +optional
LastScheduleTime *metav1.Time `json:"lastScheduleTime,omitempty"`
// +optional
LastSuccessfulTime *metav1.Time `json:"lastSuccessfulTime,omitempty"`
}
