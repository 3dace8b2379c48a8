package wrongtypes

// Outer has a rule for everything, so that an error tells what was looked at beside the wrong value.
type Outer struct {
	// +k8s:required
	Name string `json:"name"`

	// +k8s:minimum=5
	Number int32 `json:"number"`

	Ratio float64 `json:"ratio,omitempty"`

	// +k8s:neq=false
	Flag *bool `json:"flag,omitempty"`

	Inner Inner `json:"inner"`

	// +k8s:optional
	Pointer *Inner `json:"pointer,omitempty"`

	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:subfield(a)=+k8s:neq="x"
	List []Inner `json:"list,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=a
	// +k8s:item(a: "one")=+k8s:subfield(b)=+k8s:minimum=5
	Keyed []Inner `json:"keyed,omitempty"`

	// +k8s:listType=set
	Set []string `json:"set,omitempty"`

	// +k8s:eachKey=+k8s:maxLength=3
	Map map[string]Inner `json:"map,omitempty"`

	// +k8s:eachKey=+k8s:minimum=5
	// +k8s:eachVal=+k8s:maxLength=1
	ByNumber map[uint8]string `json:"byNumber,omitempty"`

	Words Words `json:"words,omitempty"`

	Lists map[string][]string `json:"lists,omitempty"`

	Matrix [][]byte `json:"matrix,omitempty"`

	Anything interface{} `json:"anything,omitempty"`

	// +k8s:zeroOrOneOfMember
	Left *Inner `json:"left,omitempty"`
	// +k8s:zeroOrOneOfMember
	Right *Inner `json:"right,omitempty"`
}

// Inner has two members.
type Inner struct {
	// +k8s:maxLength=3
	A string `json:"a,omitempty"`
	// +k8s:minimum=1
	B int32 `json:"b,omitempty"`
}

// Words is a list of its own type.
// +k8s:maxItems=1
type Words []Word

// Word is a string of its own type.
// +k8s:maxLength=2
type Word string
