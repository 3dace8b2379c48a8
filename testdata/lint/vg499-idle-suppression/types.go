package robots

type Bad struct {
	// validation-gen:ignore VG411 was needed once
	// // want-above VG499 "there is nothing here for which VG411 would have to be ignored (remove the line)"
	// +k8s:required
	Enabled *bool `json:"enabled"`

	// validation-gen:ignore VG203 errors cannot be ignored
	// // want-above VG499 "VG203 is the code of no lint rule, so nothing is ignored here"
	// +k8s:required=true # // want VG203 "tag value has wrong type"
	Wrong string `json:"wrong"`

	// validation-gen:ignore
	// // want-above VG499 "no lint rule is named, so nothing is ignored here"
	// +k8s:required # // want VG411 "must be true"
	Nothing bool `json:"nothing"`
}

// BadType has a field with a finding; that is not its own.
//
// validation-gen:ignore VG411 does not reach the field
// // want-above VG499 "nothing here for which VG411"
type BadType struct {
	// +k8s:required # // want VG411 "must be true"
	Enabled bool `json:"enabled"`
}

type Good struct {
	// The words validation-gen:ignore VG411 within a sentence mean nothing.
	// +k8s:required
	Name string `json:"name"`
}
