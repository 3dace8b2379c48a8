package presence

// All has structs by value, and broken defaults.
type All struct {
	// +k8s:required
	// want-above VG204 `field example.com/cases/errors-presence.All.a: tag "k8s:required": non-pointer structs cannot use the "k8s:required" tag`
	A Part `json:"a"`

	// +k8s:optional
	// want-above VG204 `tag "k8s:optional": non-pointer structs cannot use the "k8s:optional" tag`
	B Part `json:"b"`

	// +k8s:forbidden
	// want-above VG204 `tag "k8s:forbidden": non-pointer structs cannot use the "k8s:forbidden" tag`
	C Part2 `json:"c"`

	// +k8s:ifEnabled(X)=+k8s:required
	// want-above VG204 `tag "k8s:ifEnabled": tag "k8s:required": non-pointer structs cannot use the "k8s:required" tag`
	D Part `json:"d"`

	// +k8s:optional
	// want-above VG204 `tag "k8s:optional": non-pointer structs cannot use the "k8s:optional" tag`
	Part `json:",inline"`

	// +k8s:optional
	// +default=
	// want-above VG203 `field example.com/cases/errors-presence.All.e: tag "k8s:optional": +default tag with no value`
	E string `json:"e"`

	// +k8s:optional
	// +default=text
	// want-above VG203 `tag "k8s:optional": failed to parse default value "text": `
	F string `json:"f"`

	// +k8s:optional
	// +default=null
	// want-above VG203 `tag "k8s:optional": failed to parse default value "null": unmarshalled to nil`
	G *string `json:"g"`

	// +k8s:optional
	// +default="a"
	// +default="b"
	// want-above VG205 `tag "k8s:optional": +default tag with multiple values: [`
	H string `json:"h"`

	// +k8s:optional
	// +default=ref(SomeConstant)
	// want-above VG203 `tag "k8s:optional": failed to parse default value "ref(SomeConstant)": `
	I string `json:"i"`

	// +k8s:optional
	// +default=NaN
	// want-above VG203 `tag "k8s:optional": failed to parse default value "NaN": `
	Number float64 `json:"number"`

	// A default alone is nobody's business.
	// +default=nonsense
	J string `json:"j"`
}

// Part is a struct.
type Part struct{}

// Part2 is made from it.
type Part2 Part
