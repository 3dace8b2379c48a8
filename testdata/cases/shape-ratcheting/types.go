package ratcheting

// Tree has a rule that always fails in every place: an error tells that the place was looked at.
// +k8s:validateFalse="tree"
type Tree struct {
	// +k8s:validateFalse="name"
	Name string `json:"name,omitempty"`

	// +k8s:validateFalse="root"
	Root Node `json:"root,omitempty"`

	// +k8s:validateFalse="crown"
	Crown *Node `json:"crown,omitempty"`

	// +k8s:validateFalse="plain"
	Plain []Node `json:"plain,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=id
	// +k8s:validateFalse="keyed"
	Keyed []Node `json:"keyed,omitempty"`

	// +k8s:listType=set
	// +k8s:validateFalse="set"
	Set []Node `json:"set,omitempty"`

	// +k8s:validateFalse="map"
	Map map[string]Node `json:"map,omitempty"`
}

// Node has two members.
// +k8s:validateFalse="node"
type Node struct {
	// +k8s:validateFalse="id"
	ID string `json:"id,omitempty"`
	// +k8s:validateFalse="leaf"
	Leaf *string `json:"leaf,omitempty"`
}
