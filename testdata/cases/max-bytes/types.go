package maxbytes

// Record has strings of every sort.
type Record struct {
	// +k8s:maxBytes=5
	Title string `json:"title,omitempty"`

	// +k8s:maxBytes=1
	Mark *string `json:"mark,omitempty"`

	// +k8s:maxBytes=0
	Blank string `json:"blank,omitempty"`

	// The rule of the field comes before that of its type.
	// +k8s:maxBytes=2
	Code Code `json:"code,omitempty"`

	// +k8s:optional
	// +k8s:maxBytes=3
	Text string `json:"text,omitempty"`

	// It does not stop the field.
	// +k8s:maxBytes=2
	// +k8s:maxLength=2
	// +k8s:neq="abc"
	Word string `json:"word,omitempty"`

	// +k8s:eachVal=+k8s:maxBytes=2
	List []string `json:"list,omitempty"`

	// +k8s:eachKey=+k8s:maxBytes=1
	// +k8s:eachVal=+k8s:maxBytes=2
	Map map[string]string `json:"map,omitempty"`
}

// Code has a limit of its own.
// +k8s:maxBytes=3
type Code string
