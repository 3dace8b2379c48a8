package robots

type Arm struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:required
	Side string `json:"side"`
}

type Bad struct {
	// +k8s:optional
	// +k8s:listMapKey=name # // want VG407 `+k8s:listMapKey="name" has no effect without +k8s:listType or +k8s:unique on the same list (add +k8s:listType=map, or remove the tag)`
	// +k8s:listMapKey=side
	Arms []Arm `json:"arms,omitempty"`

	// +k8s:optional
	// +k8s:customUnique # // want VG407 "+k8s:customUnique has no effect"
	Tools []string `json:"tools,omitempty"`
}

type Good struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Arms []Arm `json:"arms,omitempty"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=side
	// +k8s:customUnique
	Unique []Arm `json:"unique,omitempty"`
}
