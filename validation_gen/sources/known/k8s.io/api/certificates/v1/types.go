// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=certificates.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
//release 1.37
import types "k8s.io/apimachinery/pkg/types"
//release
import v1 "k8s.io/api/core/v1"

const GroupName = "certificates.k8s.io"

//release 1.34 1.35
// +k8s:supportsSubresource=/status
// +k8s:supportsSubresource=/approval
//release 1.36 1.37
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/approval"
//release
type CertificateSigningRequest struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec CertificateSigningRequestSpec `json:"spec"`
// +optional
Status CertificateSigningRequestStatus `json:"status,omitempty"`
}

type CertificateSigningRequestSpec struct {
//release 1.33 1.34
// +listType=atomic
//release
Request []byte `json:"request"`
SignerName string `json:"signerName"`
// +optional
ExpirationSeconds *int32 `json:"expirationSeconds,omitempty"`
// +listType=atomic
Usages []KeyUsage `json:"usages,omitempty"`
// +optional
Username string `json:"username,omitempty"`
// +optional
UID string `json:"uid,omitempty"`
// +listType=atomic
// +optional
Groups []string `json:"groups,omitempty"`
// +optional
Extra map[string]ExtraValue `json:"extra,omitempty"`
}

const (
KubeAPIServerClientSignerName = "kubernetes.io/kube-apiserver-client"
KubeAPIServerClientKubeletSignerName = "kubernetes.io/kube-apiserver-client-kubelet"
KubeletServingSignerName = "kubernetes.io/kubelet-serving"
)

type ExtraValue []string

type CertificateSigningRequestStatus struct {
// +listType=map
// +listMapKey=type
// +optional
//release 1.34 1.35
// +k8s:listType=map
// +k8s:listMapKey=type
//release 1.35
// +k8s:customUnique
//release 1.34 1.35
// +k8s:optional
// +k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
// +k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:listType=map
// +k8s:alpha(since: "1.36")=+k8s:listMapKey=type
// +k8s:alpha(since: "1.36")=+k8s:customUnique
// +k8s:alpha(since: "1.36")=+k8s:optional
// +k8s:alpha(since: "1.36")=+k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
// +k8s:alpha(since: "1.36")=+k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:listType=map
// +k8s:beta(since: "1.37")=+k8s:listMapKey=type
// +k8s:beta(since: "1.37")=+k8s:customUnique
// +k8s:beta(since: "1.37")=+k8s:optional
// +k8s:beta(since: "1.37")=+k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
// +k8s:beta(since: "1.37")=+k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
//release
Conditions []CertificateSigningRequestCondition `json:"conditions,omitempty"`
//release 1.33 1.34
// +listType=atomic
//release
// +optional
Certificate []byte `json:"certificate,omitempty"`
}

type RequestConditionType string

const (
CertificateApproved RequestConditionType = "Approved"
CertificateDenied RequestConditionType = "Denied"
CertificateFailed RequestConditionType = "Failed"
)

type CertificateSigningRequestCondition struct {
Type RequestConditionType `json:"type"`
Status v1.ConditionStatus `json:"status"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
// +optional
LastUpdateTime metav1.Time `json:"lastUpdateTime,omitempty"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
}

type CertificateSigningRequestList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []CertificateSigningRequest `json:"items"`
}

// +enum
type KeyUsage string

const (
UsageSigning KeyUsage = "signing"
UsageDigitalSignature KeyUsage = "digital signature"
UsageContentCommitment KeyUsage = "content commitment"
UsageKeyEncipherment KeyUsage = "key encipherment"
UsageKeyAgreement KeyUsage = "key agreement"
UsageDataEncipherment KeyUsage = "data encipherment"
UsageCertSign KeyUsage = "cert sign"
UsageCRLSign KeyUsage = "crl sign"
UsageEncipherOnly KeyUsage = "encipher only"
UsageDecipherOnly KeyUsage = "decipher only"
UsageAny KeyUsage = "any"
UsageServerAuth KeyUsage = "server auth"
UsageClientAuth KeyUsage = "client auth"
UsageCodeSigning KeyUsage = "code signing"
UsageEmailProtection KeyUsage = "email protection"
UsageSMIME KeyUsage = "s/mime"
UsageIPsecEndSystem KeyUsage = "ipsec end system"
UsageIPsecTunnel KeyUsage = "ipsec tunnel"
UsageIPsecUser KeyUsage = "ipsec user"
UsageTimestamping KeyUsage = "timestamping"
UsageOCSPSigning KeyUsage = "ocsp signing"
UsageMicrosoftSGC KeyUsage = "microsoft sgc"
UsageNetscapeSGC KeyUsage = "netscape sgc"
)

//release 1.37
type ClusterTrustBundle struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec ClusterTrustBundleSpec `json:"spec"`
}

type ClusterTrustBundleSpec struct {
// +optional
// +k8s:alpha(since:"1.37")=+k8s:optional
// +k8s:alpha(since:"1.37")=+k8s:immutable
SignerName string `json:"signerName,omitempty"`
TrustBundle string `json:"trustBundle"`
}

type ClusterTrustBundleList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ClusterTrustBundle `json:"items"`
}

// +k8s:supportsSubresource="/status"
type PodCertificateRequest struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +required
Spec PodCertificateRequestSpec `json:"spec"`
// +optional
Status PodCertificateRequestStatus `json:"status,omitempty"`
}

type PodCertificateRequestSpec struct {
// +required
SignerName string `json:"signerName"`
// +required
PodName string `json:"podName"`
// +required
PodUID types.UID `json:"podUID"`
// +required
ServiceAccountName string `json:"serviceAccountName"`
// +required
ServiceAccountUID types.UID `json:"serviceAccountUID"`
// +required
NodeName types.NodeName `json:"nodeName"`
// +required
NodeUID types.UID `json:"nodeUID"`
// +optional
// +default=86400
MaxExpirationSeconds *int32 `json:"maxExpirationSeconds,omitempty"`
// +required
StubPKCS10Request []byte `json:"stubPKCS10Request"`
// +optional
UnverifiedUserAnnotations map[string]string `json:"unverifiedUserAnnotations,omitempty"`
}

type PodCertificateRequestStatus struct {
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
// +optional
// +k8s:alpha(since: "1.37")=+k8s:listType=map
// +k8s:alpha(since: "1.37")=+k8s:listMapKey=type
// +k8s:alpha(since: "1.37")=+k8s:optional
Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
CertificateChain string `json:"certificateChain,omitempty"`
// +optional
NotBefore *metav1.Time `json:"notBefore,omitempty"`
// +optional
BeginRefreshAt *metav1.Time `json:"beginRefreshAt,omitempty"`
// +optional
NotAfter *metav1.Time `json:"notAfter,omitempty"`
}

const (
PodCertificateRequestConditionTypeDenied string = "Denied"
PodCertificateRequestConditionTypeFailed string = "Failed"
PodCertificateRequestConditionTypeIssued string = "Issued"
)

const (
PodCertificateRequestConditionUnsupportedKeyType string = "UnsupportedKeyType"
PodCertificateRequestConditionInvalidUserConfig string = "InvalidUnverifiedUserAnnotations"
)

type PodCertificateRequestList struct {
metav1.TypeMeta `json:""`
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PodCertificateRequest `json:"items"`
}
