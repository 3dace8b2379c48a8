package robots

type Bad struct {
	// +k8s:required
	// +k8s:maximum=2
	// +k8s:minimum=6 # // want VG404 "no value satisfies both +k8s:minimum=6 and +k8s:maximum=2"
	Wheels int32 `json:"wheels"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:minimum=-1 # // want VG404 "+k8s:maximum=-2"
	// +k8s:alpha=+k8s:eachVal=+k8s:maximum=-2
	Items []int64 `json:"items,omitempty"`

	// +k8s:optional
	// +k8s:minimum=4 # // want VG404 "+k8s:maximum=3"
	// +k8s:ifEnabled(Small)=+k8s:maximum=3
	Switched int32 `json:"switched,omitempty"`
}

type Good struct {
	// +k8s:required
	// +k8s:minimum=6
	// +k8s:maximum=6
	Wheels int32 `json:"wheels"`

	// Never both at once.
	// +k8s:optional
	// +k8s:ifEnabled(Small)=+k8s:maximum=3
	// +k8s:ifDisabled(Small)=+k8s:minimum=4
	Switched int32 `json:"switched,omitempty"`

	// Limits of different things.
	// +k8s:optional
	// +k8s:eachKey=+k8s:minimum=6
	// +k8s:eachVal=+k8s:maximum=2
	Table map[int32]int32 `json:"table,omitempty"`
}
