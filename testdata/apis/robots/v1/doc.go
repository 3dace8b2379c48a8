// +k8s:deepcopy-gen=package
// +k8s:openapi-gen=true
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=robots.example.com

// Package v1 is the v1 version of the robots API: the machines of the fleet and the pools they are drawn from.
package v1
