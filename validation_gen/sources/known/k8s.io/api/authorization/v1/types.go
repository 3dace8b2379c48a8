// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=authorization.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "authorization.k8s.io"

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type SubjectAccessReview struct {
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
Spec SubjectAccessReviewSpec `json:"spec"`
// +optional
Status SubjectAccessReviewStatus `json:"status,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type SelfSubjectAccessReview struct {
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
Spec SelfSubjectAccessReviewSpec `json:"spec"`
// +optional
Status SubjectAccessReviewStatus `json:"status,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type LocalSubjectAccessReview struct {
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
Spec SubjectAccessReviewSpec `json:"spec"`
// +optional
Status SubjectAccessReviewStatus `json:"status,omitempty"`
}

type ResourceAttributes struct {
// +optional
Namespace string `json:"namespace,omitempty"`
// +optional
Verb string `json:"verb,omitempty"`
// +optional
Group string `json:"group,omitempty"`
// +optional
Version string `json:"version,omitempty"`
// +optional
Resource string `json:"resource,omitempty"`
// +optional
Subresource string `json:"subresource,omitempty"`
// +optional
Name string `json:"name,omitempty"`
// +optional
FieldSelector *FieldSelectorAttributes `json:"fieldSelector,omitempty"`
// +optional
LabelSelector *LabelSelectorAttributes `json:"labelSelector,omitempty"`
}

type LabelSelectorAttributes struct {
// +optional
RawSelector string `json:"rawSelector,omitempty"`
// +optional
// +listType=atomic
Requirements []metav1.LabelSelectorRequirement `json:"requirements,omitempty"`
}

type FieldSelectorAttributes struct {
// +optional
RawSelector string `json:"rawSelector,omitempty"`
// +optional
// +listType=atomic
Requirements []metav1.FieldSelectorRequirement `json:"requirements,omitempty"`
}

type NonResourceAttributes struct {
// +optional
Path string `json:"path,omitempty"`
// +optional
Verb string `json:"verb,omitempty"`
}

type SubjectAccessReviewSpec struct {
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:unionMember
//release
ResourceAttributes *ResourceAttributes `json:"resourceAttributes,omitempty"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:unionMember
//release
NonResourceAttributes *NonResourceAttributes `json:"nonResourceAttributes,omitempty"`
// +optional
User string `json:"user,omitempty"`
// +optional
// +listType=atomic
Groups []string `json:"groups,omitempty"`
// +optional
Extra map[string]ExtraValue `json:"extra,omitempty"`
// +optional
UID string `json:"uid,omitempty"`
}

type ExtraValue []string

type SelfSubjectAccessReviewSpec struct {
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:unionMember
//release
ResourceAttributes *ResourceAttributes `json:"resourceAttributes,omitempty"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:unionMember
//release
NonResourceAttributes *NonResourceAttributes `json:"nonResourceAttributes,omitempty"`
}

type SubjectAccessReviewStatus struct {
Allowed bool `json:"allowed"`
// +optional
Denied bool `json:"denied,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
EvaluationError string `json:"evaluationError,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type SelfSubjectRulesReview struct {
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
Spec SelfSubjectRulesReviewSpec `json:"spec"`
// +optional
Status SubjectRulesReviewStatus `json:"status,omitempty"`
}

type SelfSubjectRulesReviewSpec struct {
Namespace string `json:"namespace,omitempty"`
}

type SubjectRulesReviewStatus struct {
// +listType=atomic
ResourceRules []ResourceRule `json:"resourceRules"`
// +listType=atomic
NonResourceRules []NonResourceRule `json:"nonResourceRules"`
Incomplete bool `json:"incomplete"`
// +optional
EvaluationError string `json:"evaluationError,omitempty"`
}

type ResourceRule struct {
// +listType=atomic
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
}

type NonResourceRule struct {
// +listType=atomic
Verbs []string `json:"verbs"`
// +optional
// +listType=atomic
NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
}
