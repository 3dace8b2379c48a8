package updates

// All has each constraint where it has no meaning.
type All struct {
	// +k8s:update=NoClear
	// want-above VG203 `field example.com/cases/errors-updates.All.value: tag "k8s:update": unknown +k8s:update constraint: NoClear (did you mean NoUnset?)`
	// +k8s:update=Never
	// want-above VG203 `tag "k8s:update": unknown +k8s:update constraint: Never (it is one of NoSet, NoUnset, NoModify, NoAddItem, NoRemoveItem)`
	// +k8s:update=nomodify
	// want-above VG203 `tag "k8s:update": unknown +k8s:update constraint: nomodify (did you mean NoModify?)`
	// +k8s:update="NoSet, NoUnset"
	// want-above VG203 `tag "k8s:update": unknown +k8s:update constraint: NoSet, NoUnset (write a tag for each constraint)`
	// +k8s:update
	// want-above VG203 `tag "k8s:update": missing required tag value of type string`
	// +k8s:update=5
	// want-above VG203 `tag "k8s:update": tag value has wrong type: got int, want string`
	// +k8s:update(NoSet)=NoSet
	// want-above VG202 `tag "k8s:update": unrecognized named argument "NoSet"`
	// +k8s:update=NoAddItem
	// want-above VG204 `tag "k8s:update": +k8s:update=NoAddItem can only be used on list or map fields`
	// +k8s:update=NoRemoveItem
	// want-above VG204 `tag "k8s:update": +k8s:update=NoRemoveItem can only be used on list or map fields`
	Value string `json:"value"`

	// +k8s:update=NoAddItem
	// want-above VG204 `tag "k8s:update": +k8s:update=NoAddItem can only be used on list or map fields`
	Pointer *string `json:"pointer"`

	// +k8s:update=NoSet
	// want-above VG204 `tag "k8s:update": +k8s:update=NoSet cannot be used on non-pointer struct fields (they cannot be unset)`
	// +k8s:update=NoUnset
	// want-above VG204 `tag "k8s:update": +k8s:update=NoUnset cannot be used on non-pointer struct fields (they cannot be unset)`
	// +k8s:update=NoAddItem
	// want-above VG204 `tag "k8s:update": +k8s:update=NoAddItem can only be used on list or map fields`
	Struct Part `json:"struct"`

	// +k8s:update=NoRemoveItem
	// want-above VG204 `tag "k8s:update": +k8s:update=NoRemoveItem can only be used on list or map fields`
	PointerToStruct *Part `json:"pointerToStruct"`

	// +k8s:update=NoModify
	// want-above VG204 `tag "k8s:update": +k8s:update=NoModify is not supported on list or map fields, use +k8s:eachVal=+k8s:update=NoModify for per-item immutability`
	List []string `json:"list"`

	// +k8s:update=NoModify
	// want-above VG204 `tag "k8s:update": +k8s:update=NoModify is not supported on list or map fields, use +k8s:eachVal=+k8s:update=NoModify for per-item immutability`
	Map map[string]string `json:"map"`

	// Nothing says which items are the same.
	// +k8s:update=NoAddItem
	// want-above VG205 `+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require list metadata (+k8s:listType with listMapKey, or +k8s:unique) to determine item identity (declare the identity of items: +k8s:listType=set, or +k8s:listType=map with +k8s:listMapKey)`
	// +k8s:update=NoRemoveItem
	Plain []string `json:"plain"`

	// +k8s:listType=atomic
	// +k8s:update=NoAddItem
	// want-above VG205 `+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require listType=set, listType=map, unique=set, or unique=map to define item identity`
	Atomic []string `json:"atomic"`

	// +k8s:eachVal=+k8s:update=NoSet
	// want-above VG204 `tag "k8s:eachVal": tag "k8s:update": +k8s:update=NoSet does not apply to list values, attach it to the enclosing field`
	// +k8s:eachVal=+k8s:update=NoAddItem
	// want-above VG204 `tag "k8s:eachVal": tag "k8s:update": +k8s:update=NoAddItem does not apply to list values, attach it to the enclosing field`
	// +k8s:eachVal=+k8s:update=NoModify
	Items []Part `json:"items"`

	// +k8s:listType=set
	// +k8s:eachVal=+k8s:update=NoModify
	Set []string `json:"set"`

	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:update=NoModify
	AtomicItems []Part `json:"atomicItems"`

	// +k8s:eachVal=+k8s:update=NoUnset
	// want-above VG204 `tag "k8s:eachVal": tag "k8s:update": +k8s:update=NoUnset does not apply to map values, attach it to the enclosing field`
	// +k8s:eachKey=+k8s:update=NoModify
	// want-above VG201 `tag "k8s:eachKey": tag "k8s:update" cannot be specified on map keys (it can stand on struct fields, list values, map values)`
	Values map[string]string `json:"values"`

	// +k8s:eachVal=+k8s:update=NoModify
	// want-above VG204 `tag "k8s:eachVal": tag "k8s:update": +k8s:update=NoModify cannot be applied to list/map elements that are themselves lists or maps`
	Maps []Labels `json:"maps"`

	// +k8s:eachKey=+k8s:immutable
	// want-above VG201 `tag "k8s:eachKey": tag "k8s:immutable" cannot be specified on map keys (it can stand on type definitions, struct fields, list values, map values)`
	Keys map[string]string `json:"keys"`

	// +k8s:monotonic
	// want-above VG204 `tag "k8s:monotonic": must be an integer type (got string)`
	NotMonotonic string `json:"notMonotonic"`

	// +k8s:monotonic=5
	// want-above VG203 `tag "k8s:monotonic": tag value has wrong type: got int, want  (k8s:monotonic takes no value)`
	// +k8s:ifEnabled(X)=+k8s:monotonic
	// want-above VG204 `tag "k8s:ifEnabled": tag "k8s:monotonic": must be an integer type (got float64)`
	Float float64 `json:"float"`

	// +k8s:monotonic
	// want-above VG204 `tag "k8s:monotonic": must be an integer type (got []int32)`
	// +k8s:eachVal=+k8s:monotonic
	// want-above VG201 `tag "k8s:eachVal": tag "k8s:monotonic" cannot be specified on list values (it can stand on type definitions, struct fields)`
	Numbers []int32 `json:"numbers"`
}

// Part is a struct.
type Part struct {
	Name string `json:"name"`
}

// Labels is a map.
// +k8s:update=NoSet
// want-above VG201 `tag "k8s:update" cannot be specified on type definitions (it can stand on struct fields, list values, map values)`
type Labels map[string]string

// Words are no numbers.
// +k8s:monotonic
// want-above VG204 `tag "k8s:monotonic": must be an integer type (got example.com/cases/errors-updates.Words -> []string)`
type Words []string
