// +k8s:deepcopy-gen=package
// +k8s:openapi-gen=true
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=robots.example.com

// Package v1beta1 is the v1beta1 version of the robots API. It is served for old clients; new ones use v1.
package v1beta1
