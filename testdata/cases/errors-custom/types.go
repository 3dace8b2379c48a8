package custom

// Dock has a function that is missing, and one whose file cannot be read.
type Dock struct {
	// +k8s:customValidation
	Missing string `json:"missing"`

	// +k8s:customValidation
	Broken string `json:"broken"`

	// +k8s:customValidation
	Twice string `json:"twice"`

	// +k8s:ifEnabled(X)=+k8s:customValidation
	Gated string `json:"gated"`

	// +k8s:customValidation=true
	// +k8s:customValidation("Check")
	// +k8s:eachVal=+k8s:customValidation
	Args []string `json:"args"`

	// Functions are found by Go names.
	// +k8s:customValidation
	JSON string `json:"json"`

	// One in a class is none.
	// +k8s:customValidation
	Method string `json:"method"`
}

// Crane has none.
// +k8s:customValidation
type Crane struct {
	Name string `json:"name"`
}
