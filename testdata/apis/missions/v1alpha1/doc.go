// +k8s:deepcopy-gen=package
// +k8s:openapi-gen=true
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=missions.example.com

// Package v1alpha1 is the v1alpha1 version of the missions API: what robots are sent out for, and on which ways.
package v1alpha1
