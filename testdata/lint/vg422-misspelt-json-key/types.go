package robots

type Bad struct {
	// +k8s:optional
	// +k8s:maxLength=3
	A string `jsn:"a"` // want VG422 "so the JSON name is A"

	// +k8s:optional
	// +k8s:maxLength=3
	B string `json: "b"` // want VG422 "so the JSON name is B"

	C string `protobuf:"bytes" JSON:"c"` // want VG422 "so the JSON name is C"
}

type Good struct {
	// +k8s:optional
	// +k8s:maxLength=3
	A string `json:"a" jsn:"b" bson:"c"`

	B string `json:"-" bson:"c"`
}
