package unknowntag

// All has tags that are misspelt, and tags of other tools, of which nothing is said.
// +k8s:deepcopy-gen=true
// +k8s:openapi-gen=true
// +k8s:conversion-gen:explicit-from=net/url.Values
// +genclient
// +kubebuilder:object:root=true
// +k8s:opaquetype
// want-above VG103 `example.com/cases/errors-unknown-tag.All: unknown tag +k8s:opaquetype (did you mean +k8s:opaqueType?)`
type All struct {
	// +optional
	// +listType=map
	// +k8s:requird
	// want-above VG103 `field example.com/cases/errors-unknown-tag.All.name: unknown tag +k8s:requird (did you mean +k8s:required?)`
	// +k8s:maxlength=5
	// want-above VG103 `unknown tag +k8s:maxlength (did you mean +k8s:maxLength?)`
	// +k8s:pattern="^a$"
	// want-above VG103 `unknown tag +k8s:pattern (`
	// +k8s:xyzzy(=
	// want-above VG103 `unknown tag +k8s:xyzzy (it has no effect`
	// Prose that mentions +k8s:requird is no tag.
	Name string `json:"name"`

	// +k8s:eachVal=+k8s:maxlen=5
	// want-above VG103 `field example.com/cases/errors-unknown-tag.All.list: tag "k8s:eachVal": unknown tag "k8s:maxlen"`
	// +k8s:eachVal=+optional
	// want-above VG103 `tag "k8s:eachVal": unknown tag "optional" (only validation tags can be chained)`
	// +k8s:ifEnabled(X)=+k8s:ifDisabled(Y)=+k8s:nope
	// want-above VG103 `tag "k8s:ifEnabled": tag "k8s:ifDisabled": unknown tag "k8s:nope" (only validation tags can be chained)`
	// +k8s:eachVal=+k8s:validation-gen=true
	// want-above VG103 `tag "k8s:eachVal": unknown tag "k8s:validation-gen"`
	List []string `json:"list"`
}

// Word has one on a constant.
// +k8s:enum
type Word string

// +k8s:enumexclude
// want-above VG103 `constant WordA: unknown tag +k8s:enumexclude`
const WordA Word = "A"
