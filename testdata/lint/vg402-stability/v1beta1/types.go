package v1beta1

type Bad struct {
	// +k8s:optional
	// +k8s:neq="default" # // want VG402 "cannot be used in Beta validation"
	Name string `json:"name,omitempty"`
}

type Good struct {
	// +k8s:forbidden
	Gone string `json:"gone,omitempty"`
}
