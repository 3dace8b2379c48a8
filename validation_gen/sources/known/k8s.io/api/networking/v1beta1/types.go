// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=networking.k8s.io
package v1beta1

import intstr "k8s.io/apimachinery/pkg/util/intstr"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import v1 "k8s.io/api/core/v1"

const GroupName = "networking.k8s.io"

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type Ingress struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec IngressSpec `json:"spec,omitempty"`
// +optional
Status IngressStatus `json:"status,omitempty"`
}

type IngressList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Ingress `json:"items"`
}

type IngressSpec struct {
// +optional
IngressClassName *string `json:"ingressClassName,omitempty"`
// +optional
Backend *IngressBackend `json:"backend,omitempty"`
// +optional
// +listType=atomic
TLS []IngressTLS `json:"tls,omitempty"`
// +optional
// +listType=atomic
Rules []IngressRule `json:"rules,omitempty"`
}

type IngressTLS struct {
// +optional
// +listType=atomic
Hosts []string `json:"hosts,omitempty"`
// +optional
SecretName string `json:"secretName,omitempty"`
}

type IngressStatus struct {
// +optional
LoadBalancer IngressLoadBalancerStatus `json:"loadBalancer,omitempty"`
}

type IngressLoadBalancerStatus struct {
// +optional
// +listType=atomic
Ingress []IngressLoadBalancerIngress `json:"ingress,omitempty"`
}

type IngressLoadBalancerIngress struct {
// +optional
IP string `json:"ip,omitempty"`
// +optional
Hostname string `json:"hostname,omitempty"`
// +listType=atomic
// +optional
Ports []IngressPortStatus `json:"ports,omitempty"`
}

type IngressPortStatus struct {
Port int32 `json:"port"`
Protocol v1.Protocol `json:"protocol"`
// +optional
// +kubebuilder:validation:Required
// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
// +kubebuilder:validation:MaxLength=316
Error *string `json:"error,omitempty"`
}

type IngressRule struct {
// +optional
Host string `json:"host,omitempty"`
// +optional
//release 1.33 1.34 1.35 1.36
IngressRuleValue `json:",inline"`
//release 1.37
IngressRuleValue `json:""`
//release
}

type IngressRuleValue struct {
// +optional
HTTP *HTTPIngressRuleValue `json:"http,omitempty"`
}

type HTTPIngressRuleValue struct {
// +listType=atomic
Paths []HTTPIngressPath `json:"paths"`
}

type PathType string

const (
PathTypeExact = PathType("Exact")
PathTypePrefix = PathType("Prefix")
PathTypeImplementationSpecific = PathType("ImplementationSpecific")
)

type HTTPIngressPath struct {
// +optional
Path string `json:"path,omitempty"`
PathType *PathType `json:"pathType,omitempty"`
Backend IngressBackend `json:"backend"`
}

type IngressBackend struct {
// +optional
ServiceName string `json:"serviceName,omitempty"`
// +optional
ServicePort intstr.IntOrString `json:"servicePort,omitempty"`
// +optional
Resource *v1.TypedLocalObjectReference `json:"resource,omitempty"`
}

type IngressClass struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec IngressClassSpec `json:"spec,omitempty"`
}

type IngressClassSpec struct {
Controller string `json:"controller,omitempty"`
// +optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Parameters *IngressClassParametersReference `json:"parameters,omitempty"`
}

const (
IngressClassParametersReferenceScopeNamespace = "Namespace"
IngressClassParametersReferenceScopeCluster = "Cluster"
)

type IngressClassParametersReference struct {
// +optional
APIGroup *string `json:"apiGroup,omitempty"`
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Kind string `json:"kind"`
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Name string `json:"name"`
Scope *string `json:"scope"`
// +optional
Namespace *string `json:"namespace,omitempty"`
}

type IngressClassList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []IngressClass `json:"items"`
}

type IPAddress struct {
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
Spec IPAddressSpec `json:"spec,omitempty"`
}

type IPAddressSpec struct {
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
// +k8s:alpha(since: "1.36")=+k8s:immutable
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
// +k8s:beta(since: "1.37")=+k8s:immutable
//release
ParentRef *ParentReference `json:"parentRef,omitempty"`
}

type ParentReference struct {
// +optional
Group string `json:"group,omitempty"`
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Resource string `json:"resource,omitempty"`
// +optional
Namespace string `json:"namespace,omitempty"`
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
Name string `json:"name,omitempty"`
}

type IPAddressList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []IPAddress `json:"items"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type ServiceCIDR struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec ServiceCIDRSpec `json:"spec,omitempty"`
// +optional
Status ServiceCIDRStatus `json:"status,omitempty"`
}

type ServiceCIDRSpec struct {
// +optional
// +listType=atomic
CIDRs []string `json:"cidrs,omitempty"`
}

const (
ServiceCIDRConditionReady = "Ready"
ServiceCIDRReasonTerminating = "Terminating"
)

type ServiceCIDRStatus struct {
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:eachVal=+k8s:opaqueType
//release
Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type ServiceCIDRList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ServiceCIDR `json:"items"`
}

const (
AnnotationIsDefaultIngressClass = "ingressclass.kubernetes.io/is-default-class"
AnnotationIngressClass = "kubernetes.io/ingress.class"
)

const (
LabelIPAddressFamily = "ipaddress.kubernetes.io/ip-family"
LabelManagedBy = "ipaddress.kubernetes.io/managed-by"
)
