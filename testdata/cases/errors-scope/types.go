package scope

// Outer has tags that are for fields only, on the type.
// +k8s:required
// want-above VG201 `example.com/cases/errors-scope.Outer: tag "k8s:required" cannot be specified on type definitions (it can stand on struct fields`
// +k8s:optional
// want-above VG201 `tag "k8s:optional" cannot be specified on type definitions (it can stand on struct fields)`
// +k8s:forbidden
// want-above VG201 `tag "k8s:forbidden" cannot be specified on type definitions (it can stand on struct fields)`
// +k8s:unionMember
// want-above VG201 `tag "k8s:unionMember" cannot be specified on type definitions`
// +k8s:unionDiscriminator
// want-above VG201 `tag "k8s:unionDiscriminator" cannot be specified on type definitions`
// +k8s:zeroOrOneOfMember
// want-above VG201 `tag "k8s:zeroOrOneOfMember" cannot be specified on type definitions`
type Outer struct {
	// +k8s:enum
	// want-above VG201 `field example.com/cases/errors-scope.Outer.name: tag "k8s:enum" cannot be specified on struct fields (it can stand on type definitions)`
	Name string `json:"name"`

	// +k8s:eachVal=+k8s:required
	// want-above VG201 `field example.com/cases/errors-scope.Outer.list: tag "k8s:eachVal": tag "k8s:required" cannot be specified on list values`
	// +k8s:eachVal=+k8s:optional
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:optional" cannot be specified on list values`
	// +k8s:eachVal=+k8s:enum
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:enum" cannot be specified on list values`
	List []string `json:"list"`

	// +k8s:eachKey=+k8s:immutable
	// want-above VG201 `tag "k8s:eachKey": tag "k8s:immutable" cannot be specified on map keys`
	// +k8s:eachKey=+k8s:required
	// want-above VG201 `tag "k8s:eachKey": tag "k8s:required" cannot be specified on map keys`
	// +k8s:eachVal=+k8s:forbidden
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:forbidden" cannot be specified on map values`
	// +k8s:eachVal=+k8s:unionMember
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:unionMember" cannot be specified on map values`
	Map map[string]string `json:"map"`

	// The chain counts, however long it is.
	// +k8s:ifEnabled(X)=+k8s:ifDisabled(Y)=+k8s:enum
	// want-above VG201 `tag "k8s:ifEnabled": tag "k8s:ifDisabled": tag "k8s:enum" cannot be specified on struct fields`
	Other string `json:"other"`
}

// Word has tags on a constant.
// +k8s:enum
type Word string

const (
	// +k8s:maxLength=1
	// want-above VG201 `constant WordA: tag "k8s:maxLength" cannot be specified on constant values`
	WordA Word = "A"

	// +k8s:required
	// want-above VG201 `constant WordB: tag "k8s:required" cannot be specified on constant values`
	WordB Word = "B"

	// +k8s:maxLength=1
	// want-above VG201 `constant Plain: tag "k8s:maxLength" cannot be specified on constant values`
	Plain = "C"
)
