package validateerror

// Refused has a refused tag in every place.
// +k8s:validateError="type"
// want-above VG204 `example.com/cases/validate-error.Refused: tag "k8s:validateError": forced error: "type" (the tag is for tests of generators; remove it)`
type Refused struct {
	// +k8s:validateError="field"
	// want-above VG204 `field example.com/cases/validate-error.Refused.name: tag "k8s:validateError": forced error: "field" (the tag is for tests of generators; remove it)`
	Name string `json:"name"`

	// +k8s:eachVal=+k8s:validateError="item"
	// want-above VG204 `Refused.list: tag "k8s:eachVal": tag "k8s:validateError": forced error: "item" (the tag is for tests of generators; remove it)`
	List []string `json:"list"`

	// +k8s:eachKey=+k8s:validateError="key"
	// want-above VG204 `Refused.map: tag "k8s:eachKey": tag "k8s:validateError": forced error: "key" (the tag is for tests of generators; remove it)`
	// +k8s:eachVal=+k8s:validateError
	// want-above VG204 `Refused.map: tag "k8s:eachVal": tag "k8s:validateError": forced error: "" (the tag is for tests of generators; remove it)`
	Map map[string]string `json:"map"`

	// +k8s:ifEnabled(X)=+k8s:subfield(name)=+k8s:validateError="far in"
	// want-above VG204 `Refused.other: tag "k8s:ifEnabled": tag "k8s:subfield": tag "k8s:validateError": forced error: "far in"`
	Other *Refused `json:"other"`
}
