// +k8s:validation-gen=TypesWithSuffix=Spec
// +k8s:validation-gen-test-fixture=validateFalse

// Package v1 asks for a test of its validateFalse tags.
package v1
