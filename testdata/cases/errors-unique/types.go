package unique

// All has lists with wrong tags.
type All struct {
	// +k8s:listType=atomic
	// +k8s:unique=bag
	// want-above VG203 `field example.com/cases/errors-unique.All.unknown: tag "k8s:unique": unknown unique type "bag" (it is set or map)`
	Unknown []string `json:"unknown"`

	// +k8s:listType=atomic
	// +k8s:unique
	// want-above VG203 `tag "k8s:unique": missing required tag value of type string`
	// +k8s:unique=5
	// want-above VG203 `tag "k8s:unique": tag value has wrong type: got int, want string`
	// +k8s:unique(set)=set
	// want-above VG202 `tag "k8s:unique": unrecognized named argument "set"`
	Payload []string `json:"payload"`

	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:unique=set
	// want-above VG205 `tag "k8s:unique": unique tag cannot be specified more than once`
	Twice []string `json:"twice"`

	// +k8s:listType=set
	// +k8s:unique=set
	// want-above VG205 `tag "k8s:unique": unique tag may not be used with listType=set or listType=map`
	Set []string `json:"set"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:unique=map
	// want-above VG205 `tag "k8s:unique": unique tag may not be used with listType=set or listType=map`
	Map []Item `json:"map"`

	// +k8s:alpha=+k8s:unique=set
	// want-above VG205 `listType must be specified - use listType=atomic, listType=set, or listType=map`
	// +k8s:listType=set
	// want-above VG205 `tag "k8s:listType": unique tag is redundant for listType="set"`
	Redundant []string `json:"redundant"`

	// +k8s:listType=atomic
	// +k8s:unique=map
	// want-above VG204 `tag "k8s:unique": only lists of structs can be list-maps`
	Strings []string `json:"strings"`

	// +k8s:listType=atomic
	// want-above VG205 `found listType=map or unique=map without listMapKey (name the member that identifies an item: +k8s:listMapKey=name)`
	// +k8s:unique=map
	NoKey []Item `json:"noKey"`

	// +k8s:listType=atomic
	// want-above VG205 `found listMapKey without listType=map or unique=map (add +k8s:listType=map)`
	// +k8s:unique=set
	// +k8s:listMapKey=name
	SetWithKey []Item `json:"setWithKey"`

	// +k8s:unique=set
	// want-above VG205 `listType must be specified - use listType=atomic, listType=set, or listType=map`
	NoType []string `json:"noType"`

	// +k8s:unique=map
	// want-above VG205 `listType must be specified - use listType=atomic, listType=set, or listType=map`
	// +k8s:listMapKey=name
	NoTypeOfMap []Item `json:"noTypeOfMap"`

	// +k8s:customUnique
	Custom []string `json:"custom"`

	// +k8s:unique=set
	// want-above VG205 `listType must be specified - use listType=atomic, listType=set, or listType=map`
	// +k8s:customUnique
	CustomSet []string `json:"customSet"`

	// +k8s:unique=set
	// want-above VG204 `tag "k8s:unique": can only be used on list types (Map)`
	// +k8s:customUnique
	// want-above VG204 `tag "k8s:customUnique": can only be used on list types (Map)`
	NoList map[string]string `json:"noList"`

	// +k8s:customUnique=true
	// want-above VG203 `tag "k8s:customUnique": tag value has wrong type: got bool, want  (k8s:customUnique takes no value)`
	// +k8s:customUnique(x)
	// want-above VG202 `tag "k8s:customUnique": unrecognized named argument "x"`
	Args []string `json:"args"`

	// The type says already what the list is.
	// +k8s:listType=atomic
	// want-above VG205 `found list metadata for both a field and its type: example.com/cases/errors-unique.All.both (keep the tags in one of the two places)`
	// +k8s:unique=set
	// want-above VG205 `found list metadata for both a field and its type: example.com/cases/errors-unique.All.both (keep the tags in one of the two places)`
	Both Items `json:"both"`

	// +k8s:customUnique
	CustomOfType Items `json:"customOfType"`

	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:item(name: "a")=+k8s:immutable
	// want-above VG205 `found items with no list metadata - item tags require listType=map or unique=map with listMapKey`
	Selected []Item `json:"selected"`
}

// Items is unique.
// +k8s:listType=atomic
// +k8s:unique=map
// +k8s:listMapKey=name
type Items []Item

// Loose lacks the type.
// +k8s:unique=set
// want-above VG205 `listType must be specified - use listType=atomic, listType=set, or listType=map`
type Loose []string

// Item is an item.
type Item struct {
	Name string `json:"name"`
}
