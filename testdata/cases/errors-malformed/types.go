package malformed

// All has a mistake of every sort. What is wrong in a tag that nobody knows is nobody's business: +k8s:nothing(
// +optional((
// +kubebuilder:validation:Enum=a;b
type All struct {
	// +k8s:maxLength=
	// want-above VG102 `field example.com/cases/errors-malformed.All.name: failed to parse tag: unexpected end of input`
	// +k8s:maxLength 5
	// want-above VG102 `failed to parse tag: unexpected character ' '`
	// +k8s:maxLength= 5
	// want-above VG102 `failed to parse tag: unexpected character ' '`
	// +k8s:maxLength=5 characters
	// want-above VG102 `failed to parse tag: unexpected character ' ' at position 16`
	// +k8s:maxLength=5x
	// want-above VG102 `failed to parse tag: unexpected character 'x' at position 16`
	// +k8s:maxLength=1.5
	// want-above VG102 `failed to parse tag: unexpected character '.'`
	// +k8s:maxLength=99999999999999999999
	// want-above VG102 `failed to parse tag: invalid number "99999999999999999999" at position`
	// +k8s:neq="open
	// want-above VG102 `failed to parse tag: unterminated string at position`
	// +k8s:neq="a\nb"
	// want-above VG102 `failed to parse tag: unhandled escaped character 'n'`
	// +k8s:neq='single'
	// want-above VG102 `failed to parse tag: unexpected character '\''`
	// +k8s:neq=a/b
	// want-above VG102 `failed to parse tag: unexpected character '/'`
	// +k8s:neq=a b
	// want-above VG102 `failed to parse tag: unexpected character ' ' at position 10`
	// +k8s:format:k8s-ip
	// want-above VG103 `unknown tag +k8s:format:k8s-ip`
	// +k8s:required()
	// +k8s:required(
	// want-above VG102 `failed to parse tag: unexpected end of input`
	// +k8s:required)
	// want-above VG102 `failed to parse tag: unexpected character ')'`
	Name string `json:"name"`

	// +k8s:ifEnabled(A, B)=+k8s:required
	// want-above VG102 `failed to parse tag: multiple arguments must use 'name: value' syntax`
	// +k8s:ifEnabled(A, b: C)=+k8s:required
	// want-above VG102 `failed to parse tag: can't mix named and positional arguments`
	// +k8s:ifEnabled( A)=+k8s:required
	// want-above VG102 `failed to parse tag: unexpected character ' '`
	// +k8s:ifEnabled(A)=required
	// want-above VG203 `tag "k8s:ifEnabled": tag value has wrong type: got string, want tag`
	// +k8s:ifEnabled(A)+k8s:required
	// want-above VG102 `failed to parse tag: unexpected character '+'`
	// +k8s:ifEnabled(A)=+
	// want-above VG102 `failed to parse tag: invalid number "+" at position 18`
	// +k8s:ifEnabled(A)=+k8s:required=
	// want-above VG102 `failed to parse tag: unexpected end of input`
	// +k8s:ifEnabled(A)=+k8s:format=k8s-uuid # A comment may follow, and this one is right.
	Other string `json:"other"`

	// A tag ends with its line: what stands on the next one is something else.
	// +k8s:item(name: "a",
	// want-above VG102 `failed to parse tag: unexpected end of input`
	//           port: 5)=+k8s:required
	List []All `json:"list"`
}
