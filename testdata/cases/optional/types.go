package optional

// Form has optional fields. Each has another rule, which shows whether the field was looked at.
type Form struct {
	// +k8s:optional
	// +k8s:format=k8s-short-name
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:minimum=1
	Age int32 `json:"age,omitempty"`

	// +k8s:optional
	// +k8s:neq=false
	Agrees bool `json:"agrees,omitempty"`

	// +k8s:optional
	// +k8s:minimum=1
	Count *int32 `json:"count,omitempty"`

	// +k8s:optional
	// +k8s:validateFalse="looked at"
	Pages []string `json:"pages,omitempty"`

	// +k8s:optional
	// +k8s:validateFalse="looked at"
	Answers map[string]string `json:"answers,omitempty"`

	// +k8s:optional
	Sender *Sender `json:"sender,omitempty"`

	// +k8s:optional
	Grade Grade `json:"grade,omitempty"`

	// Rules that stop the field are looked at together with optional.
	// +k8s:optional
	// +k8s:immutable
	Stamp string `json:"stamp,omitempty"`
}

// Sender has a rule of its own.
type Sender struct {
	// +k8s:required
	City string `json:"city"`
}

// Grade has a rule of its own.
// +k8s:neq=""
type Grade string

// Defaults has optional fields with defaults, which are filled in before an object is validated.
type Defaults struct {
	// An unset pointer, list or map cannot be seen any more, so it is an error.
	// +k8s:optional
	// +default=""
	Pointer *string `json:"pointer,omitempty"`

	// +k8s:optional
	// +default=[]
	List []string `json:"list,omitempty"`

	// +k8s:optional
	// +default={}
	Map map[string]string `json:"map,omitempty"`

	// +k8s:optional
	// +default={}
	Struct *Sender `json:"struct,omitempty"`

	// So is the zero value of what has another default.
	// +k8s:optional
	// +default="a"
	Text string `json:"text,omitempty"`

	// +k8s:optional
	// +default=3
	Number int32 `json:"number,omitempty"`

	// +k8s:optional
	// +default=true
	Flag bool `json:"flag,omitempty"`

	// Where the default is the zero value, the tag says nothing, and other rules see the zero value.
	// +k8s:optional
	// +default=""
	// +k8s:neq=""
	ZeroText string `json:"zeroText,omitempty"`

	// +k8s:optional
	// +default=0
	// +k8s:minimum=1
	ZeroNumber int32 `json:"zeroNumber,omitempty"`

	// +k8s:optional
	// +default=false
	// +k8s:neq=false
	ZeroFlag bool `json:"zeroFlag,omitempty"`
}
