package arrays

const (
	rows    = 1 << 1
	columns = rows + 1
)

// Digest is a list of numbers in JSON, and no base64 text.
type Digest [16]byte

// Point has two coordinates, and its name has a rule.
type Point struct {
	// +k8s:maxLength=3
	Name string `json:"name,omitempty"`

	At [2]int32 `json:"at"`
}

// Corners are points, whose rules nobody looks at.
type Corners [rows]Point // want VG302 `Corners: fixed-size arrays are not supported, so the rules of Point do not count for items`

// Frame is embedded.
type Frame struct {
	Size [2]int32 `json:"size"`
}

// Board has arrays everywhere but under a tag.
type Board struct {
	Frame `json:",inline"`

	// +k8s:optional
	// +k8s:maxLength=5
	Title string `json:"title,omitempty"`

	Digest  Digest               `json:"digest"`
	Grid    [rows][columns]int32 `json:"grid"`
	Pointer *[2]string           `json:"pointer,omitempty"`
	ByName  map[string][2]bool   `json:"byName,omitempty"`
	List    []Digest             `json:"list,omitempty"`
	Corners Corners              `json:"corners"`
	None    [0]string            `json:"none"`
	Parts   [2]*Frame            `json:"parts"`

	// Two arrays are the same where their items are, those that JSON leaves out included.
	// +k8s:immutable
	Origin Point `json:"origin"`
}

// Odd has lengths that are none. Such an array is read as a list.
type Odd struct {
	// +k8s:optional
	// +k8s:maxLength=5
	Title string `json:"title,omitempty"`

	Negative [-1]string      `json:"negative"` // want VG302 "Odd: the length `-1` of an array is negative, so it is read as a list of any length"
	Unknown  [lines]string   `json:"unknown"`  // want VG302 "Odd: the length `lines` of an array cannot be evaluated"
	Enormous [1 << 60]string `json:"enormous"` // want VG302 "Odd: an array of more than 10000 items (`1 << 60`) is read as a list"
	Text     ["a"]string     `json:"text"`     // want VG302 "cannot be evaluated"
}

// Tagged demands something of arrays.
type Tagged struct {
	// +k8s:eachVal=+k8s:minimum=1
	Items [4]int32 `json:"items"` // want VG302 `field example.com/cases/shape-arrays.Tagged.items ([4]int32): fixed-size arrays are not supported`

	// +k8s:maxItems=4
	Length Digest `json:"length"` // want VG302 `Tagged.length (example.com/cases/shape-arrays.Digest): fixed-size arrays are not supported`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	Keyed [2]Point `json:"keyed"` // want VG302 `Tagged.keyed ([2]example.com/cases/shape-arrays.Point): fixed-size arrays are not supported`

	// +k8s:optional
	Pointer *[2]string `json:"pointer,omitempty"` // want VG302 `pointers to lists are not supported`

	// +k8s:eachVal=+k8s:maxItems=1
	Map map[string]Digest `json:"map"` // want VG302 `Tagged.map (map[string]example.com/cases/shape-arrays.Digest): fixed-size arrays are not supported`

	// Nothing is demanded of this one.
	// +k8s:eachVal=+k8s:opaqueType
	Opaque [2]string `json:"opaque"`
}

// Limited demands something of itself.
// +k8s:maxItems=3
type Limited [4]string // want VG302 `field example.com/cases/shape-arrays.Limited: fixed-size arrays are not supported`
