package alpha

// Probe has rules of every sort with a level. It marks errors and changes no verdict.
type Probe struct {
	// +k8s:alpha=+k8s:required
	// +k8s:maxLength=3
	Name string `json:"name,omitempty"`

	// A rule with a level stops the ones without, as any other does.
	// +k8s:alpha(since: "1.36")=+k8s:maxItems=2
	// +k8s:eachVal=+k8s:maxLength=2
	Parts []string `json:"parts,omitempty"`

	// Rules come in the order of their outermost names, which is the level here.
	// +k8s:maxLength=1
	// +k8s:alpha=+k8s:neq="ab"
	Code string `json:"code,omitempty"`

	// +k8s:alpha=+k8s:optional
	// +k8s:minimum=3
	Size int32 `json:"size,omitempty"`

	// +k8s:alpha=+k8s:listType=set
	// +k8s:alpha=+k8s:eachVal=+k8s:minLength=2
	Tags []string `json:"tags,omitempty"`

	// +k8s:alpha=+k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:alpha=+k8s:item(name: "a")=+k8s:immutable
	// +k8s:alpha=+k8s:update=NoRemoveItem
	Items []Item `json:"items,omitempty"`

	// All constraints of a field are one rule, whatever their levels.
	// +k8s:alpha=+k8s:update=NoSet
	// +k8s:update=NoUnset
	Owner *string `json:"owner,omitempty"`

	// +k8s:alpha=+k8s:unionMember
	A *string `json:"a,omitempty"`

	// +k8s:alpha=+k8s:unionMember
	B *string `json:"b,omitempty"`

	// +k8s:alpha=+k8s:ifEnabled(Strict)=+k8s:forbidden
	Gate string `json:"gate,omitempty"`

	// The outer level counts.
	// +k8s:alpha=+k8s:beta=+k8s:maximum=5
	Level int32 `json:"level,omitempty"`

	// +k8s:alpha=+k8s:subfield(name)=+k8s:required
	// +k8s:alpha=+k8s:subfield(size)=+k8s:minimum=1
	Item Item `json:"item,omitempty"`

	// +k8s:alpha=+k8s:eachKey=+k8s:maxLength=1
	// +k8s:eachVal=+k8s:alpha=+k8s:maxLength=1
	Map map[string]string `json:"map,omitempty"`

	Grade Grade `json:"grade,omitempty"`

	// The member is ruled out in other modes with the level that all of its rules have.
	// +k8s:alpha=+k8s:ifMode(Run)=+k8s:required
	Run string `json:"run,omitempty"`

	// +k8s:ifMode(Run)=+k8s:alpha=+k8s:maxLength=1
	Note string `json:"note,omitempty"`

	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// +k8s:alpha=+k8s:dependentRequired("size")
	Wide bool `json:"wide,omitempty"`
}

// Item has a rule of its own.
type Item struct {
	Name string `json:"name"`
	// +k8s:alpha=+k8s:neq=13
	Size int32 `json:"size,omitempty"`
}

// Grade has a level on the type.
// +k8s:alpha=+k8s:minimum=-2
type Grade int32
