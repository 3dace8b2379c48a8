package robots

type Bad struct {
	// +k8s:optional
	// +k8s:validation:maxLength=3 // want VG421 "is for schemas only; validators do not judge it (write +k8s:maxLength=3)"
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:validation:items:maxLength=3 // want VG421 "(write +k8s:eachVal=+k8s:maxLength=3)"
	Names []string `json:"names"`

	// +k8s:optional
	// +k8s:validation:properties:a:items:minimum=1 // want VG421 "(write +k8s:subfield(a)=+k8s:eachVal=+k8s:minimum=1)"
	// +k8s:validation:pattern="^a$" // want VG421 "+k8s:customValidation"
	Part string `json:"part"`

	// +k8s:optional
	// +k8s:validation:cel[0]:rule="self > 1" // want VG421 "cel is for schemas only"
	// +k8s:validation:cel[0]:message="more"
	Size *int32 `json:"size"`
}

type Good struct {
	// +k8s:optional
	// +k8s:maxLength=3
	// +k8s:validation:maxLength=3
	Name string `json:"name"`
}
