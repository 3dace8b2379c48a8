package subfield

// All has rules for members that there are not, or that do not fit.
type All struct {
	// +k8s:subfield(nam)=+k8s:required
	// want-above VG202 `field example.com/cases/errors-subfield.All.part: tag "k8s:subfield": no field for json name "nam" (did you mean name?)`
	// +k8s:subfield(Name)=+k8s:required
	// want-above VG202 `tag "k8s:subfield": no field for json name "Name" (did you mean name?)`
	// +k8s:subfield(deep)=+k8s:required
	// want-above VG202 `tag "k8s:subfield": no field for json name "deep" (`
	// +k8s:subfield(hidden)=+k8s:required
	// want-above VG202 `tag "k8s:subfield": no field for json name "hidden"`
	// +k8s:subfield(name)=+k8s:minimum=1
	// want-above VG204 `tag "k8s:subfield": tag "k8s:minimum": can only be used on integer types (string)`
	// +k8s:subfield(name)=+k8s:nope
	// want-above VG103 `tag "k8s:subfield": unknown tag "k8s:nope"`
	// +k8s:subfield(inner)=+k8s:subfield(name)=+k8s:required
	// want-above VG204 `tag "k8s:subfield": nested +k8s:subfield tags are unsupported; apply validations directly to the nested type instead`
	// +k8s:subfield(inner)=+k8s:ifEnabled(X)=+k8s:subfield(name)=+k8s:required
	// want-above VG204 `nested +k8s:subfield tags are unsupported`
	// +k8s:subfield(inner)=+k8s:required
	// want-above VG204 `tag "k8s:subfield": tag "k8s:required": non-pointer structs cannot use the "k8s:required" tag`
	Part Part `json:"part"`

	// +k8s:eachVal=+k8s:subfield(nam)=+k8s:required
	// want-above VG202 `tag "k8s:eachVal": tag "k8s:subfield": no field for json name "nam"`
	List []Part `json:"list"`
}

// Part has members, one of them through another struct, and one that is not exported.
type Part struct {
	Name   string `json:"name"`
	Inner  Inner  `json:"inner"`
	Deeper `json:",inline"`
	hidden string
}

// Inner is a struct.
type Inner struct {
	Name string `json:"name"`
}

// Deeper is embedded.
type Deeper struct {
	Deep string `json:"deep"`
}
