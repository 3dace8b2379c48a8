// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=discovery.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import v1 "k8s.io/api/core/v1"

const GroupName = "discovery.k8s.io"

type EndpointSlice struct {
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
// +k8s:alpha(since: "1.36")=+k8s:required
// +k8s:alpha(since: "1.36")=+k8s:immutable
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
// +k8s:beta(since: "1.37")=+k8s:immutable
//release
AddressType AddressType `json:"addressType"`
//release 1.36 1.37
// +optional
//release
// +listType=atomic
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
Endpoints []Endpoint `json:"endpoints"`
// +optional
// +listType=atomic
Ports []EndpointPort `json:"ports"`
}

// +enum
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:enum
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:enum
//release
type AddressType string

const (
AddressTypeIPv4 = AddressType(v1.IPv4Protocol)
AddressTypeIPv6 = AddressType(v1.IPv6Protocol)
AddressTypeFQDN = AddressType("FQDN")
)

type Endpoint struct {
// +listType=set
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
// +k8s:alpha(since: "1.36")=+k8s:maxItems=100
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
// +k8s:beta(since: "1.37")=+k8s:maxItems=100
//release
Addresses []string `json:"addresses"`
Conditions EndpointConditions `json:"conditions,omitempty"`
// +optional
Hostname *string `json:"hostname,omitempty"`
// +optional
TargetRef *v1.ObjectReference `json:"targetRef,omitempty"`
// +optional
DeprecatedTopology map[string]string `json:"deprecatedTopology,omitempty"`
// +optional
NodeName *string `json:"nodeName,omitempty"`
// +optional
Zone *string `json:"zone,omitempty"`
// +optional
Hints *EndpointHints `json:"hints,omitempty"`
}

type EndpointConditions struct {
// +optional
Ready *bool `json:"ready,omitempty"`
// +optional
Serving *bool `json:"serving,omitempty"`
// +optional
Terminating *bool `json:"terminating,omitempty"`
}

type EndpointHints struct {
// +listType=atomic
ForZones []ForZone `json:"forZones,omitempty"`
// +listType=atomic
ForNodes []ForNode `json:"forNodes,omitempty"`
}

type ForZone struct {
Name string `json:"name"`
}

type ForNode struct {
Name string `json:"name"`
}

// +structType=atomic
type EndpointPort struct {
Name *string `json:"name,omitempty"`
Protocol *v1.Protocol `json:"protocol,omitempty"`
Port *int32 `json:"port,omitempty"`
// +optional
AppProtocol *string `json:"appProtocol,omitempty"`
}

type EndpointSliceList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []EndpointSlice `json:"items"`
}

const (
LabelServiceName = "kubernetes.io/service-name"
LabelManagedBy = "endpointslice.kubernetes.io/managed-by"
LabelSkipMirror = "endpointslice.kubernetes.io/skip-mirror"
)
