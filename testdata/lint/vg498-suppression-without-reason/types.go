package robots

type Bad struct {
	// validation-gen:ignore VG411
	// // want-above VG498 "VG411 is ignored without a reason, which later readers need (write the reason behind VG411)"
	// +k8s:required
	Enabled bool `json:"enabled"`

	//validation-gen:ignore VG411 -
	// // want-above VG498 "without a reason"
	// +k8s:required
	Dash bool `json:"dash"`
}

type Good struct {
	// Whether the robot may move. It can be switched on only.
	//
	// validation-gen:ignore VG411 the flag is a one-way switch
	// +k8s:required
	Enabled bool `json:"enabled"`

	//validation-gen:ignore VG411: gofmt puts such lines last
	// +k8s:required
	Colon bool `json:"colon"`

	// validation-gen:ignore VG411 the two belong together
	// validation-gen:ignore VG417 to be cleaned up with the next version
	// +k8s:required
	// +k8s:required
	Two bool `json:"two"`

	// One reason serves both.
	// validation-gen:ignore VG403, VG423 older clients send nothing
	// +k8s:maxLength=10
	A, B string
}

// GoodType is silenced itself, its fields are not.
//
// validation-gen:ignore VG406 the values come with another release
// +k8s:enum
type GoodType string
