package eachkey

// Depot has maps with rules for their keys.
type Depot struct {
	// +k8s:eachKey=+k8s:maxLength=3
	Codes map[string]string `json:"codes,omitempty"`

	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-label-key
	Labels map[string]string `json:"labels,omitempty"`

	// Two tags are two loops: the first looks at all keys before the second begins. The rule of the key's type comes last.
	// +k8s:eachKey=+k8s:neq="core"
	// +k8s:eachKey=+k8s:maxLength=4
	Zones map[Zone]string `json:"zones,omitempty"`

	Doors map[Zone]Door `json:"doors,omitempty"`

	Ramps Ramps `json:"ramps,omitempty"`

	// +k8s:eachKey=+k8s:minimum=1
	Slots map[int32]string `json:"slots,omitempty"`
}

// Zone is a short name. It is a type of its own, so errors show it as JSON.
// +k8s:neq="<all>"
type Zone string

// Door has a rule of its own, which counts for the values of a map.
type Door struct {
	// +k8s:minimum=1
	Width int32 `json:"width"`
}

// Ramps has its rule on the type.
// +k8s:eachKey=+k8s:neq="north"
type Ramps map[string]int32
