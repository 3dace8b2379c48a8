// +k8s:validation-gen=*

// Package wellknown has types of Kubernetes itself, whose sources are not at hand.
package wellknown
