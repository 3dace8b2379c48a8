package robots

type Bad struct {
	// +k8s:optional
	// +k8s:maxLength=3
	MyName string // want VG423 "so it is MyName"

	Size int32 `json:",omitempty"` // want VG423 "so it is Size"

	Other int32 `bson:"other"` // want VG423 "so it is Other"
}

type Inner struct {
	A string `json:"a"`
}

type Good struct {
	Inner

	// +k8s:optional
	// +k8s:maxLength=3
	MyName string `json:"MyName"`

	Hidden string `json:"-"`

	hidden string
}
