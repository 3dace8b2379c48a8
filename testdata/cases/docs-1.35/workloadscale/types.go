package workloadscale

// Workload is the body of a request to the subresource.
type Workload struct {
	// +k8s:validateFalse="looked at"
	Replicas string `json:"replicas"`
}
