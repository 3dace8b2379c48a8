// +k8s:deepcopy-gen=package
// +k8s:openapi-gen=true
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=tables.example.com

// Package v1 is the v1 version of the tables API: what a restaurant keeps for its guests.
package v1
