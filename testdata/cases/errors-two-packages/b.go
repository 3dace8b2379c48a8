package second

// Second is not read, and nothing is said of what is in it.
type Second struct {
	// +k8s:maxItems=1
	Name string `json:"name"`
}
