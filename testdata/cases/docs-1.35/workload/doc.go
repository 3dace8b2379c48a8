// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/scale"

// Package workload supports two subresources, which its types are validated for beside the object itself.
package workload
