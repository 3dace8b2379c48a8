package robots

type Bad struct {
	// validation-gen:ignore VG411 was needed once
	// // want-above VG499 "there is nothing here for which VG411 would have to be ignored (remove the line)"
	// +k8s:required
	Enabled *bool `json:"enabled"`

	// validation-gen:ignore
	// // want-above VG499 "no lint rule is named, so nothing is ignored here"
	// +k8s:required # // want VG411 "must be true"
	Nothing bool `json:"nothing"`
}

type BadCodes struct {
	// validation-gen:ignore VG203 errors cannot be ignored
	// // want-above VG499 "VG203 cannot be ignored, as only findings of lint rules can"
	// +k8s:required=true # // want VG203 "tag value has wrong type"
	Wrong string `json:"wrong"`

	// validation-gen:ignore vg411 the switch only goes one way
	// // want-above VG499 "vg411 is the code of no lint rule, so nothing is ignored here (did you mean VG411 (required-bool)?)"
	// +k8s:required # // want VG411 "must be true"
	Small bool `json:"small"`

	// validation-gen:ignore required-bool the switch only goes one way
	// // want-above VG499 "(did you mean VG411 (required-bool)?)"
	// +k8s:required # // want VG411 "must be true"
	Name bool `json:"name"`

	// validation-gen:ignore VG477 the switch only goes one way
	// // want-above VG499 "VG477 is the code of no lint rule, so nothing is ignored here"
	// +k8s:required # // want VG411 "must be true"
	Number bool `json:"number"`

	// validation-gen:ignore the switch only goes one way
	// // want-above VG499 "no lint rule is named, so nothing is ignored here"
	// +k8s:required # // want VG411 "must be true"
	Prose bool `json:"prose"`
}

type BadLists struct {
	// validation-gen:ignore VG411, VG417 was needed once
	// // want-above VG499 "nothing here for which VG417 would have to be ignored (remove VG417 from the line)"
	// +k8s:required
	One bool `json:"one"`

	// validation-gen:ignore VG411 VG417
	// // want-above VG498 "VG411 and VG417 is ignored without a reason"
	// +k8s:required
	// +k8s:required
	Both bool `json:"both"`

	// +k8s:required # // want VG411 "must be true"
	Next  bool `json:"next"` // validation-gen:ignore VG417 not that of the field below
	// // want-above VG499 "nothing here for which VG417"

	// +k8s:required # // want VG411 "must be true"
	Other bool `json:"other"`
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

	// +k8s:required
	Behind bool `json:"behind"` // validation-gen:ignore VG411 the switch only goes one way
	// +k8s:required
	// +k8s:required
	// validation-gen:ignore VG411, VG417: the switch only goes one way
	Several bool `json:"several"`
}
