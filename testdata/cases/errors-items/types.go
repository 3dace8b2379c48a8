package items

// All has list-maps with wrong selectors.
type All struct {
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +k8s:item("a")=+k8s:immutable
	// want-above VG202 `field example.com/cases/errors-items.All.list: tag "k8s:item": all arguments must be named (name the key: k8s:item(name: "a"))`
	// +k8s:item=+k8s:immutable
	// want-above VG202 `tag "k8s:item": no selection criteria was specified`
	// +k8s:item()=+k8s:immutable
	// want-above VG202 `tag "k8s:item": no selection criteria was specified`
	// +k8s:item(name: "a")
	// want-above VG203 `tag "k8s:item": missing required tag value of type tag`
	// +k8s:item(name: "a")=+k8s:immutable
	// want-above VG202 `number of arguments (1) does not match number of listMapKey fields (2)`
	// +k8s:item(name: "a", port: 1, live: true)=+k8s:immutable
	// want-above VG202 `number of arguments (3) does not match number of listMapKey fields (2)`
	// +k8s:item(name: "a", live: true)=+k8s:immutable
	// want-above VG202 `missing required listMapKey fields: [port]`
	// +k8s:item(name: "a", name: "b")=+k8s:immutable
	// want-above VG202 `tag "k8s:item": duplicate argument: "name"`
	// +k8s:item(name: 1, port: 1)=+k8s:immutable
	// want-above VG202 `type mismatch, field is string but value is not: 1`
	// +k8s:item(name: "a", port: "1")=+k8s:immutable
	// want-above VG202 `type mismatch, field is int but value is not: 1`
	// +k8s:item(name: "a", port: true)=+k8s:immutable
	// want-above VG202 `type mismatch, field is int but value is not: true`
	// +k8s:item(name: "a", port: 0x1)=+k8s:immutable
	// want-above VG202 `tag "k8s:item": invalid value for argument "port": invalid integer: parsing "0x1" as int: invalid syntax`
	// +k8s:item(name: "a", port: 1)=+k8s:nope
	// want-above VG103 `tag "k8s:item": unknown tag "k8s:nope"`
	// +k8s:item(name: "a", port: 1)=+k8s:optional
	// want-above VG201 `tag "k8s:item": tag "k8s:optional" cannot be specified on list values`
	// +k8s:item(name: "a", port: 1)=+k8s:maxLength=1
	// want-above VG204 `tag "k8s:item": tag "k8s:maxLength": can only be used on string types`
	List []Item `json:"list"`

	// +k8s:listType=map
	// +k8s:listMapKey=live
	// +k8s:item(live: "true")=+k8s:immutable
	// want-above VG202 `type mismatch, field is bool but value is not: true`
	Live []Item `json:"live"`

	// +k8s:listType=map
	// +k8s:listMapKey=share
	// +k8s:item(share: 1)=+k8s:immutable
	// want-above VG202 `unsupported type float64 for field Share`
	Share []Item `json:"share"`

	// +k8s:item(name: "a")=+k8s:immutable
	// want-above VG205 `found items with no list metadata - item tags require listType=map or unique=map with listMapKey`
	Plain []Item `json:"plain"`

	// +k8s:listType=set
	// +k8s:item(name: "a")=+k8s:immutable
	// want-above VG205 `found items with no list metadata - item tags require listType=map or unique=map with listMapKey`
	Set []Item `json:"set"`

	// +k8s:item(name: "a")=+k8s:immutable
	// want-above VG204 `tag "k8s:item": can only be used on lists of structs`
	Strings []string `json:"strings"`

	// +k8s:item(name: "a")=+k8s:immutable
	// want-above VG204 `tag "k8s:item": can only be used on list types`
	Map map[string]Item `json:"map"`
}

// Item has keys of all types.
type Item struct {
	Name  string  `json:"name"`
	Port  int32   `json:"port"`
	Live  bool    `json:"live"`
	Share float64 `json:"share"`
}
