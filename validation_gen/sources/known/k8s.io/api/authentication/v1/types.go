// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=authentication.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import types "k8s.io/apimachinery/pkg/types"

const GroupName = "authentication.k8s.io"

const (
ImpersonateUserHeader = "Impersonate-User"
ImpersonateGroupHeader = "Impersonate-Group"
ImpersonateUIDHeader = "Impersonate-Uid"
ImpersonateUserExtraHeaderPrefix = "Impersonate-Extra-"
//release 1.37
AttestationAdmissionReviewAPIGroups = "admissionReviewAPIGroups"
//release
)

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type TokenReview struct {
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
//release 1.36 1.37
// +required
//release
Spec TokenReviewSpec `json:"spec"`
// +optional
Status TokenReviewStatus `json:"status,omitempty"`
}

type TokenReviewSpec struct {
//release 1.33 1.34 1.35
// +optional
//release 1.36 1.37
// +required
//release
Token string `json:"token,omitempty"`
// +optional
// +listType=atomic
Audiences []string `json:"audiences,omitempty"`
}

type TokenReviewStatus struct {
// +optional
Authenticated bool `json:"authenticated,omitempty"`
// +optional
User UserInfo `json:"user,omitempty"`
// +optional
// +listType=atomic
Audiences []string `json:"audiences,omitempty"`
// +optional
Error string `json:"error,omitempty"`
}

type UserInfo struct {
// +optional
Username string `json:"username,omitempty"`
// +optional
UID string `json:"uid,omitempty"`
// +optional
// +listType=atomic
Groups []string `json:"groups,omitempty"`
// +optional
Extra map[string]ExtraValue `json:"extra,omitempty"`
}

type ExtraValue []string

//release 1.37
type AttestationValue []string

//release
type TokenRequest struct {
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
//release 1.36 1.37
// +optional
//release
Spec TokenRequestSpec `json:"spec"`
// +optional
Status TokenRequestStatus `json:"status,omitempty"`
}

type TokenRequestSpec struct {
//release 1.36 1.37
// +optional
//release
// +listType=atomic
Audiences []string `json:"audiences"`
// +optional
ExpirationSeconds *int64 `json:"expirationSeconds"`
// +optional
BoundObjectRef *BoundObjectReference `json:"boundObjectRef"`
//release 1.37
// +optional
Attestations map[string]AttestationValue `json:"attestations,omitempty"`
//release
}

type TokenRequestStatus struct {
//release 1.36 1.37
// +optional
//release
Token string `json:"token"`
//release 1.36 1.37
// +optional
//release
ExpirationTimestamp metav1.Time `json:"expirationTimestamp"`
}

type BoundObjectReference struct {
// +optional
Kind string `json:"kind,omitempty"`
// +optional
APIVersion string `json:"apiVersion,omitempty"`
// +optional
Name string `json:"name,omitempty"`
// +optional
UID types.UID `json:"uid,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type SelfSubjectReview struct {
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
//release 1.36 1.37
// +optional
//release
Status SelfSubjectReviewStatus `json:"status,omitempty"`
}

type SelfSubjectReviewStatus struct {
// +optional
UserInfo UserInfo `json:"userInfo,omitempty"`
}
