// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=events.k8s.io
package v1

import corev1 "k8s.io/api/core/v1"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "events.k8s.io"

type Event struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata"`
EventTime metav1.MicroTime `json:"eventTime"`
// +optional
Series *EventSeries `json:"series,omitempty"`
ReportingController string `json:"reportingController,omitempty"`
ReportingInstance string `json:"reportingInstance,omitempty"`
Action string `json:"action,omitempty"`
Reason string `json:"reason,omitempty"`
// +optional
Regarding corev1.ObjectReference `json:"regarding,omitempty"`
// +optional
Related *corev1.ObjectReference `json:"related,omitempty"`
// +optional
Note string `json:"note,omitempty"`
Type string `json:"type,omitempty"`
// +optional
DeprecatedSource corev1.EventSource `json:"deprecatedSource,omitempty"`
// +optional
DeprecatedFirstTimestamp metav1.Time `json:"deprecatedFirstTimestamp,omitempty"`
// +optional
DeprecatedLastTimestamp metav1.Time `json:"deprecatedLastTimestamp,omitempty"`
// +optional
DeprecatedCount int32 `json:"deprecatedCount,omitempty"`
}

type EventSeries struct {
Count int32 `json:"count"`
LastObservedTime metav1.MicroTime `json:"lastObservedTime"`
}

type EventList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Event `json:"items"`
}
