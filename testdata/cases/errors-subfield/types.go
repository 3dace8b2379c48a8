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

	// +k8s:subfield(tags)=+k8s:maxItems=3
	// want-above VG204 `tag "k8s:subfield": presence rules cannot be wrapped for the defined list type example.com/cases/errors-subfield.Tags: Kubernetes generates Go for this that does not compile (give the field the type []string, or write the chained tag at the field itself)`
	// +k8s:subfield(labels)=+k8s:maxProperties=3
	// want-above VG204 `presence rules cannot be wrapped for the defined map type`
	// +k8s:subfield(bare)=+k8s:required
	// want-above VG204 `presence rules cannot be wrapped for the defined list type`
	// +k8s:subfield(defaulted)=+k8s:maxItems=3
	// want-above VG204 `presence rules cannot be wrapped for the defined list type`
	Defined *Defined `json:"defined"`

	// Without a presence rule, without a type of its own, behind a pointer, by an alias, or with an opaque type all is well.
	// +k8s:subfield(bare)=+k8s:maxItems=3
	// +k8s:subfield(list)=+k8s:maxItems=3
	// +k8s:subfield(pointer)=+k8s:validateTrue="x"
	// +k8s:subfield(alias)=+k8s:maxItems=3
	Right *Defined `json:"right"`

	// +k8s:opaqueType
	// +k8s:subfield(tags)=+k8s:maxItems=3
	Opaque *Defined `json:"opaque"`

	// +k8s:eachVal=+k8s:subfield(banned)=+k8s:maxItems=3
	// want-above VG204 `presence rules cannot be wrapped for the defined list type`
	Each []Defined `json:"each"`

	// +k8s:ifEnabled(X)=+k8s:optional
	// want-above VG204 `tag "k8s:ifEnabled": presence rules cannot be wrapped for the defined list type`
	// +k8s:ifDisabled(X)=+k8s:alpha(since: "1.36")=+k8s:required
	// want-above VG204 `tag "k8s:ifDisabled": presence rules cannot be wrapped for the defined list type`
	Enabled Tags `json:"enabled,omitempty"`

	// +k8s:ifEnabled(X)=+k8s:required
	Plain []string `json:"plain,omitempty"`

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

// Defined has members with list and map types of their own, and others.
type Defined struct {
	// +k8s:optional
	Tags Tags `json:"tags,omitempty"`

	// +k8s:required
	Labels Labels `json:"labels"`

	Bare Tags `json:"bare,omitempty"`

	// +k8s:forbidden
	Banned Tags `json:"banned,omitempty"`

	// +default=["a"]
	// +k8s:optional
	Defaulted Tags `json:"defaulted,omitempty"`

	// +k8s:optional
	List []string `json:"list,omitempty"`

	// +k8s:optional
	Pointer *Part `json:"pointer,omitempty"`

	// +k8s:optional
	Alias Alias `json:"alias,omitempty"`
}

// Tags is a list with a type of its own.
type Tags []string

// Labels is a map with a type of its own.
type Labels map[string]string

// Alias is another name of a list.
type Alias = []string

// Inner is a struct.
type Inner struct {
	Name string `json:"name"`
}

// Deeper is embedded.
type Deeper struct {
	Deep string `json:"deep"`
}
