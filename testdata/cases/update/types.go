package update

// Deed has each constraint on a field of each kind that can have it.
type Deed struct {
	Value   Values   `json:"value,omitempty"`
	Pointer Pointers `json:"pointer,omitempty"`
	Struct  Structs  `json:"struct,omitempty"`
	List    Lists    `json:"list,omitempty"`
	Map     Maps     `json:"map,omitempty"`
	Item    Items    `json:"item,omitempty"`
	Mixed   Mixed    `json:"mixed,omitempty"`

	// What is in these has no old values when the parent had none.
	Later *Deed  `json:"later,omitempty"`
	Deeds []Deed `json:"deeds,omitempty"`
}

// Values are set when they are not zero.
type Values struct {
	// +k8s:update=NoSet
	NoSet string `json:"noSet,omitempty"`

	// +k8s:update=NoUnset
	NoUnset int32 `json:"noUnset,omitempty"`

	// +k8s:update=NoModify
	NoModify string `json:"noModify,omitempty"`

	// +k8s:update=NoModify
	// +k8s:update=NoUnset
	// +k8s:update=NoSet
	All Word `json:"all,omitempty"`

	// +k8s:update=NoSet
	Flag bool `json:"flag,omitempty"`
}

// Word is a string of its own type.
type Word string

// Pointers are set when they are not null.
type Pointers struct {
	// +k8s:update=NoSet
	NoSet *string `json:"noSet,omitempty"`

	// +k8s:update=NoUnset
	NoUnset *int32 `json:"noUnset,omitempty"`

	// +k8s:update=NoModify
	NoModify *bool `json:"noModify,omitempty"`

	// +k8s:update=NoSet
	// +k8s:update=NoUnset
	// +k8s:update=NoModify
	All *string `json:"all,omitempty"`

	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:update=NoUnset
	Struct *Part `json:"struct,omitempty"`
}

// Structs by value are always set.
type Structs struct {
	// The rule stops the field: what is in it is not looked at.
	// +k8s:update=NoModify
	Part Part `json:"part,omitempty"`
}

// Part has a rule of its own.
type Part struct {
	// +k8s:maxLength=2
	Name string `json:"name,omitempty"`
}

// Lists are set when they have items.
type Lists struct {
	// +k8s:update=NoSet
	NoSet []string `json:"noSet,omitempty"`

	// +k8s:update=NoUnset
	NoUnset []*string `json:"noUnset,omitempty"`

	// +k8s:listType=set
	// +k8s:update=NoAddItem
	NoAddSet []string `json:"noAddSet,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:update=NoAddItem
	NoAddMap []Part `json:"noAddMap,omitempty"`

	// +k8s:listType=set
	// +k8s:update=NoRemoveItem
	NoRemoveSet []Part `json:"noRemoveSet,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:update=NoRemoveItem
	NoRemoveMap []*Part `json:"noRemoveMap,omitempty"`

	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:update=NoRemoveItem
	// +k8s:update=NoAddItem
	// +k8s:update=NoUnset
	// +k8s:update=NoSet
	All []Part `json:"all,omitempty"`

	// +k8s:update=NoAddItem
	Typed Typed `json:"typed,omitempty"`
}

// Typed has its identity from its type.
// +k8s:listType=atomic
// +k8s:unique=set
type Typed []string

// Maps are set when they have keys.
type Maps struct {
	// +k8s:update=NoSet
	NoSet map[string]string `json:"noSet,omitempty"`

	// +k8s:update=NoUnset
	NoUnset map[string]string `json:"noUnset,omitempty"`

	// +k8s:update=NoAddItem
	NoAddItem map[string]string `json:"noAddItem,omitempty"`

	// +k8s:update=NoRemoveItem
	NoRemoveItem map[Word]Part `json:"noRemoveItem,omitempty"`

	// +k8s:update=NoRemoveItem
	// +k8s:update=NoAddItem
	// +k8s:update=NoUnset
	// +k8s:update=NoSet
	All map[string]string `json:"all,omitempty"`
}

// Items may not be modified, but they may come and go.
type Items struct {
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:update=NoModify
	List []Stone `json:"list,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:update=NoModify
	Refs []*Stone `json:"refs,omitempty"`

	// Nothing says what the items are, so none has an old value.
	// +k8s:eachVal=+k8s:update=NoModify
	Loose []Stone `json:"loose,omitempty"`

	// A value that was zero was not set.
	// +k8s:eachVal=+k8s:update=NoModify
	Map map[string]string `json:"map,omitempty"`

	// +k8s:eachVal=+k8s:update=NoModify
	Stones map[string]Stone `json:"stones,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:update=NoModify
	One []Stone `json:"one,omitempty"`
}

// Stone has a name.
type Stone struct {
	Name string `json:"name"`
	// +k8s:minimum=1
	Size *int32 `json:"size,omitempty"`
}

// Mixed shows what stops what.
type Mixed struct {
	// All of these stop the field, after all of them were looked at; the others are not.
	// +k8s:update=NoModify
	// +k8s:required
	// +k8s:immutable
	// +k8s:maxLength=2
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:update=NoUnset
	// +k8s:maxLength=2
	Text string `json:"text,omitempty"`

	// +k8s:update=NoAddItem
	// +k8s:maxItems=2
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=2
	List []string `json:"list,omitempty"`

	// +k8s:subfield(name)=+k8s:update=NoModify
	Part Part `json:"part,omitempty"`

	// +k8s:ifEnabled(Frozen)=+k8s:update=NoSet
	Gated string `json:"gated,omitempty"`
}
