package v1

// Main is validated as the object itself only.
type Main struct {
	// +k8s:required
	Name string `json:"name"`
}

// Status and scale are bodies of requests to this type as well.
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/scale/x"
type Several struct {
	// +k8s:required
	Name string `json:"name"`
}

// +k8s:supportsSubresource="/status"

// Above has its tag in the block above.
type Above struct {
	// +k8s:required
	Name string `json:"name"`
}

// Scale is the body of a subresource, and not an object itself.
// +k8s:isSubresource="/scale"
type Scale struct {
	// +k8s:required
	Name string `json:"name"`
}

// +k8s:supportsSubresource="/more"

// Both is the body of one subresource and supports another.
// +k8s:isSubresource="/scale"
type Both struct {
	// +k8s:required
	Name string `json:"name"`
}

// Calm has no rules, so no request is ever refused.
// +k8s:isSubresource="/scale"
type Calm struct {
	Name string `json:"name"`
}
