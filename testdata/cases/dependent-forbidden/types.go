package dependentforbidden

// Server has triggers and dependents of every kind.
type Server struct {
	// A trigger may rule out several, and the order of the tags is the order of the errors.
	// +k8s:dependentForbidden("key")
	// +k8s:dependentForbidden(ca)
	Cert string `json:"cert,omitempty"`

	Key *string `json:"key,omitempty"`

	// Each rules out the other, which is reported twice.
	// +k8s:dependentForbidden("cert")
	// +k8s:maxLength=2
	CA string `json:"ca,omitempty"`

	// +k8s:dependentForbidden("labels")
	Ports []int32 `json:"ports,omitempty"`

	// +k8s:dependentForbidden("limit")
	Labels map[string]string `json:"labels,omitempty"`

	// +k8s:dependentForbidden("ports")
	Backup *Backup `json:"backup,omitempty"`

	// +k8s:dependentForbidden("backup")
	Live bool `json:"live,omitempty"`

	// A rule of the field comes after, and does not stop the one of the struct.
	// +k8s:forbidden
	// +k8s:dependentForbidden("live")
	Limit int32 `json:"limit,omitempty"`

	// Asked for and ruled out by the same trigger.
	// +k8s:dependentForbidden("key")
	// +k8s:dependentRequired("key")
	Odd *bool `json:"odd,omitempty"`
}

// Backup depends on itself.
type Backup struct {
	// +k8s:dependentForbidden("port")
	Host string `json:"host,omitempty"`
	Port int32  `json:"port,omitempty"`
}
