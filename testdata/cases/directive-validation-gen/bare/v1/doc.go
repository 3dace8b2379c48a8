// +k8s:validation-gen=TypeMeta
// +groupName=bare.example.com

// Package v1 chooses types by a field, as was usual up to Kubernetes 1.36.
package v1
