package arguments

// All has wrong arguments, missing ones and ones that should not be there.
type All struct {
	// +k8s:required(now)
	// want-above VG202 `field example.com/cases/errors-arguments.All.name: tag "k8s:required": unrecognized named argument "now"`
	// +k8s:maxLength(limit: 5)=5
	// want-above VG202 `tag "k8s:maxLength": unrecognized named argument "limit"`
	// +k8s:ifEnabled=+k8s:required
	// want-above VG202 `tag "k8s:ifEnabled": missing required positional argument of type string`
	// +k8s:ifEnabled()=+k8s:required
	// want-above VG202 `tag "k8s:ifEnabled": missing required positional argument of type string`
	// +k8s:ifEnabled(5)=+k8s:required
	// want-above VG202 `tag "k8s:ifEnabled": argument "5" has wrong type: got int, want string (quote it: "5")`
	// +k8s:ifEnabled(true)=+k8s:required
	// want-above VG202 `tag "k8s:ifEnabled": argument "true" has wrong type: got bool, want string (quote it: "true")`
	// +k8s:ifDisabled(option: X)=+k8s:required
	// want-above VG202 `tag "k8s:ifDisabled": missing required positional argument of type string`
	// +k8s:validateFalse(flags: "ShortCircuit, Loud")
	// want-above VG202 `unknown flag: "Loud"`
	// +k8s:validateFalse(cohort: 5)
	// want-above VG202 `tag "k8s:validateFalse": argument "cohort" has wrong type: got int, want string (quote it: "5")`
	// +k8s:validateTrue(flag: "ShortCircuit")
	// want-above VG202 `tag "k8s:validateTrue": unrecognized named argument "flag"`
	Name string `json:"name"`

	// +k8s:unionMember(union: 5)
	// want-above VG202 `tag "k8s:unionMember": argument "union" has wrong type: got int, want string`
	// +k8s:unionMember(unions: x)
	// want-above VG202 `tag "k8s:unionMember": unrecognized named argument "unions"`
	// +k8s:zeroOrOneOfMember(x)
	// want-above VG202 `tag "k8s:zeroOrOneOfMember": unrecognized named argument "x"`
	Member *string `json:"member"`

	// +k8s:unionDiscriminator(memberName: "x")
	// want-above VG202 `tag "k8s:unionDiscriminator": unrecognized named argument "memberName"`
	Kind string `json:"kind"`

	// +k8s:subfield=+k8s:required
	// want-above VG202 `tag "k8s:subfield": missing required positional argument of type string`
	// +k8s:subfield(5)=+k8s:required
	// want-above VG202 `tag "k8s:subfield": argument "5" has wrong type: got int, want string`
	// +k8s:opaqueType(x: 1)
	// want-above VG202 `tag "k8s:opaqueType": unrecognized named argument "x"`
	Other *All `json:"other"`
}
