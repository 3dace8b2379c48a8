package v1

// TrainSpec has lists, maps, pointers and itself.
// +k8s:validateFalse="type TrainSpec"
type TrainSpec struct {
	// +k8s:validateFalse="TrainSpec.Name, last by name"
	// +k8s:validateFalse="TrainSpec.Name"
	Name string `json:"name"`

	// +k8s:eachKey=+k8s:validateFalse="TrainSpec.Seats(keys)"
	Seats map[string]Seat `json:"seats,omitempty"`

	// +k8s:optional
	Next *Waggon `json:"next,omitempty"`

	// +k8s:maxItems=1
	Stops []string `json:"stops,omitempty"`
}

// Seat is no kind of its own: no suffix.
type Seat struct {
	// +k8s:validateFalse="Seat.Row <&>"
	Row int8 `json:"row"`
}

// Waggon mentions itself.
type Waggon struct {
	// +k8s:validateFalse="Waggon.Kind"
	Kind string `json:"kind"`

	// +k8s:optional
	Next *Waggon `json:"next,omitempty"`
}

// StopsSpec is no struct.
// +k8s:validateFalse="type StopsSpec"
type StopsSpec string

// QuietSpec has nothing to test, so it is not in the file.
type QuietSpec struct {
	Name string `json:"name"`
}
