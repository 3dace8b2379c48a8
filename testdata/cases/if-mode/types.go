package ifmode

// Job has members of every kind that depend on its mode.
type Job struct {
	// +k8s:optional
	// +k8s:modeDiscriminator
	Mode Mode `json:"mode,omitempty"`

	// All rules of the mode are joined: one that stops hides those that do not, and a silent one does too.
	// +k8s:ifMode("Run")=+k8s:maxLength=3
	// +k8s:ifMode("Run")=+k8s:required
	// +k8s:ifMode("Wait")=+k8s:optional
	// +k8s:ifMode("Wait")=+k8s:minLength=2
	Command string `json:"command,omitempty"`

	// +k8s:ifMode(Run)=+k8s:minimum=1
	// +k8s:ifMode(mode: "Wait")=+k8s:required
	Delay *int32 `json:"delay,omitempty"`

	// +k8s:ifMode(Run)=+k8s:maxItems=2
	// +k8s:ifMode(Run)=+k8s:immutable
	// +k8s:ifMode(Run)=+k8s:minItems=1
	Args []string `json:"args,omitempty"`

	// +k8s:ifMode(Run)=+k8s:maxProperties=1
	Env map[string]string `json:"env,omitempty"`

	// The rules of its type count in every mode, and so do the other rules of a field.
	// +k8s:optional
	// +k8s:ifMode(Run)=+k8s:required
	Probe *Probe `json:"probe,omitempty"`

	// +k8s:maxLength=3
	// +k8s:ifMode(Run)=+k8s:optional
	Note string `json:"note,omitempty"`

	// Ruled out in each mode, with a rule and without.
	// +k8s:ifMode(Run)=+k8s:forbidden
	Never bool `json:"never,omitempty"`

	// An unset mode is a mode, too.
	// +k8s:ifMode("")=+k8s:required
	Default string `json:"default,omitempty"`

	// +k8s:ifMode(Run)=+k8s:ifEnabled(Strict)=+k8s:required
	// +k8s:ifMode(Run)=+k8s:neq="x"
	Owner string `json:"owner,omitempty"`
}

// Early has an option around the whole tag. The rules of all members become one, which belongs to the first field with a
// mode: there the option decides on all of them.
type Early struct {
	// +k8s:ifEnabled(Strict)=+k8s:ifMode(Run)=+k8s:required
	A string `json:"a,omitempty"`

	// +k8s:ifMode(Run)=+k8s:required
	B string `json:"b,omitempty"`

	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`
}

// Late has it elsewhere, where it decides on nothing.
type Late struct {
	// +k8s:ifMode(Run)=+k8s:required
	A string `json:"a,omitempty"`

	// +k8s:ifEnabled(Strict)=+k8s:ifMode(Run)=+k8s:required
	B string `json:"b,omitempty"`

	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`
}

// Mode is an enum, so that other modes are refused where the field is looked at.
// +k8s:enum
type Mode string

const (
	Run  Mode = "Run"
	Wait Mode = "Wait"
	Idle Mode = "Idle"
)

// Probe has a rule of its own.
type Probe struct {
	// +k8s:maxLength=1
	Path string `json:"path,omitempty"`
}

// Plan holds jobs with and without old values.
type Plan struct {
	Main  Step            `json:"main,omitempty"`
	Spare *Step           `json:"spare,omitempty"`
	Loose []Step          `json:"loose,omitempty"`
	Named map[string]Step `json:"named,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	Steps []Step `json:"steps,omitempty"`
}

// Step has a mode.
type Step struct {
	Name string `json:"name,omitempty"`

	// +k8s:modeDiscriminator
	Kind string `json:"kind,omitempty"`

	// +k8s:ifMode(a)=+k8s:required
	// +k8s:ifMode(c)=+k8s:immutable
	A []int32 `json:"a,omitempty"`
}

// Trial has modes of several levels. The condition is one for all of them, and so is the level around it.
type Trial struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// +k8s:beta=+k8s:ifDisabled(Strict)=+k8s:ifMode(Run)=+k8s:required
	// +k8s:ifMode(Wait)=+k8s:alpha=+k8s:maxLength=1
	Note string `json:"note,omitempty"`
}
