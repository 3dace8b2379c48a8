package shapes

// All has a tag on every shape that is not supported. Without tags nothing is said of them, as of the last fields.
type All struct {
	// +k8s:validateFalse
	PointerToPointer **string `json:"pointerToPointer"` // want VG302 `field example.com/cases/errors-shapes.All.pointerToPointer (**string): pointers to pointers are not supported`

	// +k8s:validateFalse
	PointerToList *[]string `json:"pointerToList"` // want VG302 `All.pointerToList (*[]string): pointers to lists are not supported`

	// +k8s:validateFalse
	PointerToMap *map[string]string `json:"pointerToMap"` // want VG302 `All.pointerToMap (*map[string]string): pointers to maps are not supported`

	// +k8s:validateFalse
	PointerToNamedList *Strings `json:"pointerToNamedList"` // want VG302 `pointers to lists are not supported`

	// +k8s:validateFalse
	Array [3]string `json:"array"` // want VG302 `All.array ([3]string): fixed-size arrays are not supported`

	// +k8s:validateFalse
	ListOfLists [][]string `json:"listOfLists"` // want VG302 `All.listOfLists ([][]string): lists of lists are not supported`

	// +k8s:validateFalse
	ListOfNamedLists []Strings `json:"listOfNamedLists"` // want VG302 `lists of lists are not supported`

	// Bytes are the exception.
	// +k8s:maxItems=1
	ListOfBytes [][]byte `json:"listOfBytes"`

	// +k8s:validateFalse
	ListOfMaps []map[string]string `json:"listOfMaps"` // want VG302 `All.listOfMaps ([]map[string]string): lists of maps are not supported`

	// +k8s:validateFalse
	MapOfMaps map[string]map[string]string `json:"mapOfMaps"` // want VG302 `All.mapOfMaps (map[string]map[string]string): maps of maps are not supported`

	// +k8s:validateFalse
	MapOfPointers map[string]*string `json:"mapOfPointers"` // want VG302 `All.mapOfPointers (map[string]*string): maps of pointers are not supported`

	// +k8s:validateFalse
	MapOfLists map[string][]string `json:"mapOfLists"` // want VG302 `All.mapOfLists (map[string][]string): validation for map of slices is not supported`

	// +k8s:validateFalse
	BoolKeys map[bool]string `json:"boolKeys"` // want VG302 `All.boolKeys (map[bool]string): maps with non-string keys are not supported`

	// +k8s:validateFalse
	StructKeys map[Part]string `json:"structKeys"` // want VG302 `maps with non-string keys are not supported`

	// +k8s:validateFalse
	Complex complex128 `json:"complex"` // want VG302 `All.complex (complex128): kind Unsupported is not supported`

	// +k8s:validateFalse
	Channel chan string `json:"channel"` // want VG302 `All.channel (chan string): kind Chan is not supported`

	// +k8s:validateFalse
	Function func() `json:"function"` // want VG302 `kind Func is not supported`

	// +k8s:validateFalse
	Named *Pointer `json:"named"` // want VG302 `not supported`

	// +k8s:validateFalse
	NamedPointer Pointer `json:"namedPointer"` // want VG302 `typedefs to pointers are not supported`

	// +k8s:required
	Endless Endless `json:"endless"` // want VG302 `maps of maps are not supported`

	// +k8s:required
	Nest Nest `json:"nest"` // want VG302 `lists of lists are not supported`

	Quiet1 **string          `json:"quiet1"`
	Quiet2 [3]string         `json:"quiet2"`
	Quiet3 chan string       `json:"quiet3"`
	Quiet4 [][]string        `json:"quiet4"`
	Quiet5 map[bool]*Strings `json:"quiet5"`
}

// Strings is a list.
type Strings []string

// Pointer is a pointer.
type Pointer *string

// Part is a struct.
type Part struct{}

// Lists is a list of lists.
// +k8s:maxItems=1
type Lists []Strings // want VG302 `field example.com/cases/errors-shapes.Lists: lists of lists are not supported`

// Endless is a map of itself.
type Endless map[string]Endless

// Nest is a list of itself.
type Nest []Nest
