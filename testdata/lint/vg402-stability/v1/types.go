package v1

type Bad struct {
	// +k8s:optional
	// +k8s:neq="default" # // want VG402 `tag "k8s:neq" with stability level "Alpha" cannot be used in Stable validation (put the level first: +k8s:alpha=+k8s:neq="default")`
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:beta=+k8s:neq="default" # // want VG402 `cannot be used in Beta validation (write +k8s:alpha in place of +k8s:beta)`
	Beta string `json:"beta,omitempty"`

	// +k8s:ifEnabled(Names)=+k8s:neq="default" # // want VG402 "cannot be used in Beta validation"
	// +k8s:optional
	Switched string `json:"switched,omitempty"`

	// +k8s:forbidden # // want VG402 `tag "k8s:forbidden" with stability level "Beta" cannot be used in Stable validation`
	Gone string `json:"gone,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:neq=1 # // want VG402 "k8s:neq"
	Items []int32 `json:"items,omitempty"`
}

// +k8s:neq="default" # // want VG402 "k8s:neq"
type BadName string

type Good struct {
	// +k8s:optional
	// +k8s:alpha=+k8s:neq="default"
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:alpha=+k8s:ifEnabled(Names)=+k8s:neq="default"
	Switched string `json:"switched,omitempty"`

	// An option may turn on rules that are beta.
	// +k8s:ifDisabled(Names)=+k8s:forbidden
	// +k8s:optional
	Gone string `json:"gone,omitempty"`

	// +k8s:beta=+k8s:forbidden
	Beta string `json:"beta,omitempty"`
}
