package own

// Robot has values with such formats.
type Robot struct {
	// +k8s:required
	// +k8s:format=robot-serial
	Serial string `json:"serial"`

	// +k8s:optional
	// +k8s:format=robot-word
	// +k8s:format=k8s-label-value
	Word *string `json:"word,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:format=robot-serial
	Parts []string `json:"parts,omitempty"`

	// +k8s:optional
	// +k8s:eachKey=+k8s:format=robot-word
	Marks map[string]string `json:"marks,omitempty"`

	// +k8s:optional
	Model Model `json:"model,omitempty"`

	// +k8s:optional
	// +k8s:format=robot-steps
	Steps string `json:"steps,omitempty"`
}

// Model is a serial number, too.
// +k8s:format=robot-serial
type Model string
