package v1alpha1

type Good struct {
	// +k8s:optional
	// +k8s:neq="default"
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:beta=+k8s:minLength=2
	Beta string `json:"beta,omitempty"`
}
