// Code generated from k8s.io/api by validation_gen/sources/facts.py. DO NOT EDIT.

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
// +required
// +k8s:beta(since: "1.37")=+k8s:required
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
// +required
Kind string `json:"kind"`
// +optional
APIGroup string `json:"apiGroup,omitempty"`
// +required
// +k8s:beta(since: "1.37")=+k8s:required
Name string `json:"name"`
// +optional
Namespace string `json:"namespace,omitempty"`
}

// +structType=atomic
type RoleRef struct {
// +optional
APIGroup string `json:"apiGroup"`
// +required
Kind string `json:"kind"`
// +required
// +k8s:beta(since: "1.37")=+k8s:required
Name string `json:"name"`
}

type Role struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
// +k8s:beta(since: "1.37")=+k8s:optional
Rules []PolicyRule `json:"rules"`
}

type RoleBinding struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
// +k8s:beta(since: "1.37")=+k8s:optional
Subjects []Subject `json:"subjects,omitempty"`
// +required
// +k8s:alpha(since:"1.37")=+k8s:immutable
RoleRef RoleRef `json:"roleRef"`
}

type RoleBindingList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []RoleBinding `json:"items"`
}

type RoleList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Role `json:"items"`
}

type ClusterRole struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
// +k8s:beta(since: "1.37")=+k8s:optional
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
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
// +k8s:beta(since: "1.37")=+k8s:optional
Subjects []Subject `json:"subjects,omitempty"`
// +required
// +k8s:alpha(since:"1.37")=+k8s:immutable
RoleRef RoleRef `json:"roleRef"`
}

type ClusterRoleBindingList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ClusterRoleBinding `json:"items"`
}

type ClusterRoleList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ClusterRole `json:"items"`
}
