// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=node.k8s.io
package v1

import corev1 "k8s.io/api/core/v1"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "node.k8s.io"

type RuntimeClass struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:format="k8s-short-name"
// +k8s:alpha(since: "1.36")=+k8s:immutable
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:format="k8s-short-name"
// +k8s:beta(since: "1.37")=+k8s:immutable
// +k8s:beta(since: "1.37")=+k8s:required
//release
Handler string `json:"handler"`
// +optional
Overhead *Overhead `json:"overhead,omitempty"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
Scheduling *Scheduling `json:"scheduling,omitempty"`
}

type Overhead struct {
// +optional
PodFixed corev1.ResourceList `json:"podFixed,omitempty"`
}

type Scheduling struct {
// +optional
// +mapType=atomic
NodeSelector map[string]string `json:"nodeSelector,omitempty"`
// +optional
// +listType=atomic
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
}

type RuntimeClassList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []RuntimeClass `json:"items"`
}
