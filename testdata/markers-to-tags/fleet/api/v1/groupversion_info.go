// Package v1 has the API of the fleet.
// +kubebuilder:object:generate=true
// +groupName=fleet.example.com
package v1
