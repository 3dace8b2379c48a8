package lists

// All has lists with wrong tags.
type All struct {
	// +k8s:listType=bag
	// want-above VG203 `field example.com/cases/errors-lists.All.unknown: tag "k8s:listType": unknown list type "bag" (it is atomic, set or map)`
	Unknown []string `json:"unknown"`

	// +k8s:listType=set
	// +k8s:listType=atomic
	// want-above VG205 `field example.com/cases/errors-lists.All.twice: tag "k8s:listType": listType cannot be specified more than once`
	Twice []string `json:"twice"`

	// +k8s:listType=map
	// want-above VG204 `tag "k8s:listType": only lists of structs can be list-maps (items that are identified by value make a set)`
	Strings []string `json:"strings"`

	// +k8s:listMapKey=name
	// want-above VG204 `tag "k8s:listMapKey": only lists of structs can be list-maps`
	KeyOfStrings []string `json:"keyOfStrings"`

	// +k8s:listType=map
	// want-above VG205 `field example.com/cases/errors-lists.All.noKey: found listType=map or unique=map without listMapKey (name the member that identifies an item: +k8s:listMapKey=name)`
	NoKey []Item `json:"noKey"`

	// +k8s:listType=set
	// want-above VG205 `field example.com/cases/errors-lists.All.setWithKey: found listMapKey without listType=map or unique=map (add +k8s:listType=map)`
	// +k8s:listMapKey=name
	SetWithKey []Item `json:"setWithKey"`

	// +k8s:listType=map
	// +k8s:listMapKey=title
	// want-above VG203 `tag "k8s:listMapKey": no field for JSON name "title"`
	NoSuchKey []Item `json:"noSuchKey"`

	// Keys are JSON names.
	// +k8s:listType=map
	// +k8s:listMapKey=Name
	// want-above VG203 `tag "k8s:listMapKey": no field for JSON name "Name" (did you mean name?)`
	GoName []Item `json:"goName"`

	// +k8s:listType=map
	// want-above VG205 `without listMapKey`
	// +k8s:listMapKey=inner
	// want-above VG204 `tag "k8s:listMapKey": only primitive types and pointers to primitive types can be list-map keys, not `
	StructKey []Item `json:"structKey"`

	// +k8s:listType=map
	// want-above VG205 `without listMapKey`
	// +k8s:listMapKey=list
	// want-above VG204 `tag "k8s:listMapKey": only primitive types and pointers to primitive types can be list-map keys, not []string`
	ListKey []Item `json:"listKey"`

	// The type says already what the list is.
	// +k8s:listType=set
	// want-above VG205 `found list metadata for both a field and its type: example.com/cases/errors-lists.All.both (keep the tags in one of the two places)`
	Both Items `json:"both"`

	// A key alone says nothing.
	// +k8s:listMapKey=name
	Alone []Item `json:"alone"`
}

// Items is a list-map.
// +k8s:listType=map
// +k8s:listMapKey=name
type Items []Item

// NoKeys lacks a key.
// +k8s:listType=map
// want-above VG205 `example.com/cases/errors-lists.NoKeys: found listType=map or unique=map without listMapKey`
type NoKeys []Item

// Item is an item.
type Item struct {
	Name  string   `json:"name"`
	Inner Inner    `json:"inner"`
	List  []string `json:"list"`
}

// Inner is a struct.
type Inner struct{}
