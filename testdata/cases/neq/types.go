package neq

// Guess has something to avoid in every field.
type Guess struct {
	// +k8s:neq="default"
	Name string `json:"name,omitempty"`

	// A bare word is a string as well.
	// +k8s:neq=none
	Nick *string `json:"nick,omitempty"`

	// +k8s:neq=""
	Text string `json:"text"`

	// +k8s:neq=0
	Count int32 `json:"count"`

	// +k8s:neq=-1
	Offset *int64 `json:"offset,omitempty"`

	// +k8s:neq=true
	Wild bool `json:"wild,omitempty"`

	// +k8s:neq=false
	Sure *bool `json:"sure,omitempty"`

	Mood Mood `json:"mood,omitempty"`

	Level Level `json:"level,omitempty"`

	// Several tags, several values.
	// +k8s:neq="a"
	// +k8s:neq=`say "b" \\`
	Letter string `json:"letter,omitempty"`
}

// Mood is shown as JSON, what it must not be is quoted as Go does.
// +k8s:neq="<bad>"
type Mood string

// Level is a number under another name.
// +k8s:neq=13
type Level uint8
