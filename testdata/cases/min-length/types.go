package minlength

// Label has strings of every sort.
type Label struct {
	// +k8s:minLength=3
	Title string `json:"title,omitempty"`

	// +k8s:minLength=1
	Mark *string `json:"mark,omitempty"`

	// These demand nothing.
	// +k8s:minLength=0
	// +k8s:minLength=-1
	Blank string `json:"blank,omitempty"`

	// The rule of the field comes before that of its type.
	// +k8s:minLength=3
	Code Code `json:"code,omitempty"`

	// +k8s:optional
	// +k8s:minLength=2
	Text string `json:"text,omitempty"`

	// +k8s:required
	// +k8s:minLength=2
	Must string `json:"must,omitempty"`

	// It does not stop the field.
	// +k8s:minLength=2
	// +k8s:neq="a"
	Word string `json:"word,omitempty"`

	// +k8s:eachVal=+k8s:minLength=2
	List []string `json:"list,omitempty"`

	// +k8s:eachKey=+k8s:minLength=1
	// +k8s:eachVal=+k8s:minLength=2
	Map map[string]string `json:"map,omitempty"`
}

// Code has a limit of its own.
// +k8s:minLength=2
type Code string
