package robots

type Bad struct {
	// +k8s:optional
	// +k8s:maxLength=3
	A string `json:"name"`

	B string `json:"name"` // want VG424 "the JSON name name is given twice at one depth"
}

type First struct {
	Name string `json:"name"`
}

type Second struct {
	Name string `json:"name"`
}

type BadEmbedded struct {
	First `json:",inline"`

	*Second `json:",inline"` // want VG424 "the JSON name name is given twice"

	// +k8s:optional
	// +k8s:maxLength=3
	A string `json:"a"`
}

type Good struct {
	First `json:",inline"`

	Second `json:"second"`

	// +k8s:optional
	// +k8s:maxLength=3
	Name string `json:"name"`

	A string `json:"-"`

	B string `json:"-"`
}
