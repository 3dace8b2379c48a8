// +k8s:isSubresource="/scale"

// Package workloadscale holds rules for requests to the subresource only.
package workloadscale
