// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=admission.k8s.io
package v1

import authenticationv1 "k8s.io/api/authentication/v1"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import runtime "k8s.io/apimachinery/pkg/runtime"
import types "k8s.io/apimachinery/pkg/types"

const GroupName = "admission.k8s.io"

type AdmissionReview struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Request *AdmissionRequest `json:"request,omitempty"`
// +optional
Response *AdmissionResponse `json:"response,omitempty"`
}

type AdmissionRequest struct {
//release 1.36 1.37
// +optional
//release
UID types.UID `json:"uid"`
//release 1.36 1.37
// +optional
//release
Kind metav1.GroupVersionKind `json:"kind"`
//release 1.36 1.37
// +optional
//release
Resource metav1.GroupVersionResource `json:"resource"`
// +optional
SubResource string `json:"subResource,omitempty"`
// +optional
RequestKind *metav1.GroupVersionKind `json:"requestKind,omitempty"`
// +optional
RequestResource *metav1.GroupVersionResource `json:"requestResource,omitempty"`
// +optional
RequestSubResource string `json:"requestSubResource,omitempty"`
// +optional
Name string `json:"name,omitempty"`
// +optional
Namespace string `json:"namespace,omitempty"`
//release 1.36 1.37
// +optional
//release
Operation Operation `json:"operation"`
//release 1.36 1.37
// +optional
//release
UserInfo authenticationv1.UserInfo `json:"userInfo"`
// +optional
Object runtime.RawExtension `json:"object,omitempty"`
// +optional
OldObject runtime.RawExtension `json:"oldObject,omitempty"`
// +optional
DryRun *bool `json:"dryRun,omitempty"`
// +optional
Options runtime.RawExtension `json:"options,omitempty"`
}

type AdmissionResponse struct {
//release 1.36 1.37
// +optional
//release
UID types.UID `json:"uid"`
//release 1.36 1.37
// +optional
//release
Allowed bool `json:"allowed"`
// +optional
Result *metav1.Status `json:"status,omitempty"`
// +optional
Patch []byte `json:"patch,omitempty"`
// +optional
PatchType *PatchType `json:"patchType,omitempty"`
// +optional
AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
// +optional
//release 1.35 1.36 1.37
// +listType=atomic
//release
Warnings []string `json:"warnings,omitempty"`
}

type PatchType string

const (
PatchTypeJSONPatch PatchType = "JSONPatch"
)

type Operation string

const (
Create Operation = "CREATE"
Update Operation = "UPDATE"
Delete Operation = "DELETE"
Connect Operation = "CONNECT"
)
