package dependents

// All has triggers with mistakes.
type All struct {
	// +k8s:dependentRequired
	// want-above VG202 `field example.com/cases/errors-dependents.All.a: tag "k8s:dependentRequired": missing required positional argument of type string`
	// +k8s:dependentRequired()
	// want-above VG202 `tag "k8s:dependentRequired": missing required positional argument of type string`
	// +k8s:dependentRequired(5)
	// want-above VG202 `tag "k8s:dependentRequired": argument "5" has wrong type: got int, want string (quote it: "5")`
	// +k8s:dependentRequired(field: "b")
	// want-above VG202 `tag "k8s:dependentRequired": missing required positional argument of type string`
	// +k8s:dependentRequired("b", "c")
	// want-above VG102 "failed to parse tag: multiple arguments must use 'name: value' syntax (give a single argument, or name all of them: `name: value`)"
	// +k8s:dependentRequired("b")=+k8s:required
	// want-above VG203 `tag "k8s:dependentRequired": tag value has wrong type: got tag, want  (k8s:dependentRequired takes no value)`
	// +k8s:dependentRequired("a")
	// want-above VG202 `tag "k8s:dependentRequired": trigger and dependent field must be different (both are "a")`
	// +k8s:dependentRequired("bb")
	// want-above VG202 `tag "k8s:dependentRequired": no sibling field with JSON name "bb"`
	// +k8s:dependentRequired("B")
	// want-above VG202 `tag "k8s:dependentRequired": no sibling field with JSON name "B" (did you mean b?)`
	// +k8s:dependentForbidden("")
	// +k8s:dependentForbidden("promoted")
	// want-above VG202 `tag "k8s:dependentForbidden": no sibling field with JSON name "promoted"`
	// +k8s:dependentForbidden("struct")
	// want-above VG204 `tag "k8s:dependentForbidden": dependent field "Struct" has unsupported type kind Struct`
	// +k8s:eachVal=+k8s:dependentForbidden("b")
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:dependentForbidden" cannot be specified on list values (it can stand on struct fields)`
	A []string `json:"a"`

	// +k8s:dependentForbidden("c")
	B string `json:"b"`

	C *string `json:"c"`

	// +k8s:dependentForbidden("b")
	// want-above VG204 `tag "k8s:dependentForbidden": trigger field "Struct" has unsupported type kind Struct`
	// +k8s:dependentRequired("any")
	// want-above VG204 `tag "k8s:dependentRequired": trigger field "Struct" has unsupported type kind Struct`
	Struct Part `json:"struct"`

	// +k8s:dependentRequired("b")
	// want-above VG204 `tag "k8s:dependentRequired": trigger field "Any" has unsupported type kind Interface`
	Any any `json:"any"`

	// +k8s:dependentRequired("b")
	NoJSON string

	// +k8s:dependentForbidden("b")
	// want-above VG204 `tag "k8s:dependentForbidden": trigger field "Hidden" has no JSON name`
	Hidden string `json:"-"`

	Part `json:",inline"`
}

// Part is inlined.
type Part struct {
	Promoted string `json:"promoted"`
}

// Word has no siblings.
// +k8s:dependentRequired("b")
// want-above VG201 `tag "k8s:dependentRequired" cannot be specified on type definitions (it can stand on struct fields)`
type Word string
