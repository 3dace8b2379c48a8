package dependentrequired

// Server has triggers and dependents of every kind.
type Server struct {
	// A trigger may ask for several, and the order of the tags is the order of the errors.
	// +k8s:dependentRequired("key")
	// +k8s:dependentRequired(ca)
	Cert string `json:"cert,omitempty"`

	Key *string `json:"key,omitempty"`

	// Trigger and dependent, both at once: one asks for the other.
	// +k8s:dependentRequired("cert")
	// +k8s:maxLength=2
	CA string `json:"ca,omitempty"`

	// +k8s:dependentRequired("labels")
	Ports []int32 `json:"ports,omitempty"`

	// +k8s:dependentRequired("limit")
	Labels map[string]string `json:"labels,omitempty"`

	// +k8s:dependentRequired("ports")
	Backup *Backup `json:"backup,omitempty"`

	// +k8s:dependentRequired("labels")
	Live bool `json:"live,omitempty"`

	// A rule of the field comes after, and does not stop the one of the struct.
	// +k8s:required
	// +k8s:dependentRequired("live")
	Limit int32 `json:"limit,omitempty"`

	// +k8s:ifEnabled(Strict)=+k8s:dependentRequired("key")
	Strict *bool `json:"strict,omitempty"`
}

// Backup depends on itself.
type Backup struct {
	// +k8s:dependentRequired("port")
	Host string `json:"host,omitempty"`
	Port int32  `json:"port,omitempty"`
}

// Rack has servers with and without old values.
type Rack struct {
	Main Backup `json:"main,omitempty"`

	Spare *Backup `json:"spare,omitempty"`

	Loose []Backup `json:"loose,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=host
	Known []Backup `json:"known,omitempty"`

	Named map[string]Backup `json:"named,omitempty"`
}
