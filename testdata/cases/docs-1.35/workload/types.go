package workload

// Workload is validated for requests to the object and to both subresources.
type Workload struct {
	// +k8s:required
	Image string `json:"image"`
}
