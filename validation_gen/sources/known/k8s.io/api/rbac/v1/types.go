// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=rbac.authorization.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "rbac.authorization.k8s.io"

const (
APIGroupAll = "*"
ResourceAll = "*"
VerbAll = "*"
NonResourceAll = "*"
GroupKind = "Group"
ServiceAccountKind = "ServiceAccount"
UserKind = "User"
AutoUpdateAnnotationKey = "rbac.authorization.kubernetes.io/autoupdate"
)

type PolicyRule struct {
// +listType=atomic
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Verbs []string `json:"verbs"`
// +optional
// +listType=atomic
APIGroups []string `json:"apiGroups,omitempty"`
// +optional
// +listType=atomic
Resources []string `json:"resources,omitempty"`
// +optional
// +listType=atomic
ResourceNames []string `json:"resourceNames,omitempty"`
// +optional
// +listType=atomic
NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
}

// +structType=atomic
type Subject struct {
//release 1.36 1.37
// +required
//release
Kind string `json:"kind"`
// +optional
APIGroup string `json:"apiGroup,omitempty"`
//release 1.35 1.36 1.37
// +required
//release 1.35
// +k8s:required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Name string `json:"name"`
// +optional
Namespace string `json:"namespace,omitempty"`
}

// +structType=atomic
type RoleRef struct {
//release 1.36 1.37
// +optional
//release
APIGroup string `json:"apiGroup"`
//release 1.36 1.37
// +required
//release
Kind string `json:"kind"`
//release 1.35 1.36 1.37
// +required
//release 1.35
// +k8s:required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Name string `json:"name"`
}

type Role struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Rules []PolicyRule `json:"rules"`
}

type RoleBinding struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Subjects []Subject `json:"subjects,omitempty"`
//release 1.36 1.37
// +required
//release 1.37
// +k8s:alpha(since:"1.37")=+k8s:immutable
//release
RoleRef RoleRef `json:"roleRef"`
}

type RoleBindingList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []RoleBinding `json:"items"`
}

type RoleList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Role `json:"items"`
}

type ClusterRole struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Rules []PolicyRule `json:"rules"`
// +optional
AggregationRule *AggregationRule `json:"aggregationRule,omitempty"`
}

type AggregationRule struct {
// +optional
// +listType=atomic
ClusterRoleSelectors []metav1.LabelSelector `json:"clusterRoleSelectors,omitempty"`
}

type ClusterRoleBinding struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Subjects []Subject `json:"subjects,omitempty"`
//release 1.36 1.37
// +required
//release 1.37
// +k8s:alpha(since:"1.37")=+k8s:immutable
//release
RoleRef RoleRef `json:"roleRef"`
}

type ClusterRoleBindingList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ClusterRoleBinding `json:"items"`
}

type ClusterRoleList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ClusterRole `json:"items"`
}
