package maxlength

// Label has strings of every sort.
type Label struct {
	// +k8s:maxLength=5
	Title string `json:"title,omitempty"`

	// +k8s:maxLength=1
	Mark *string `json:"mark,omitempty"`

	// +k8s:maxLength=0
	Blank string `json:"blank,omitempty"`

	// The rule of the field comes before that of its type.
	// +k8s:maxLength=2
	Code Code `json:"code,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=3
	Text string `json:"text,omitempty"`

	// It does not stop the field.
	// +k8s:maxLength=2
	// +k8s:neq="abc"
	Word string `json:"word,omitempty"`
}

// Code has a limit of its own.
// +k8s:maxLength=3
type Code string
