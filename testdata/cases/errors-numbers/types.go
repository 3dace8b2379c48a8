package numbers

// All has numbers that are too large, too small, or written in another way than the one that there is.
type All struct {
	// +k8s:maxLength=-1
	// want-above VG203 `field example.com/cases/errors-numbers.All.string: tag "k8s:maxLength": must be greater than or equal to zero`
	// +k8s:maxLength=+5
	// want-above VG203 `tag "k8s:maxLength": failed to parse tag payload as int: "+5" is not a valid int value (write 5)`
	// +k8s:maxLength=007
	// want-above VG203 `tag "k8s:maxLength": failed to parse tag payload as int: "007" is not a valid int value (write 7)`
	// +k8s:maxLength=0x10
	// want-above VG203 `tag "k8s:maxLength": failed to parse tag payload as int: parsing "0x10" as int: invalid syntax`
	String string `json:"string"`

	// +k8s:maxItems=-1
	// want-above VG203 `tag "k8s:maxItems": must be greater than or equal to zero`
	List []string `json:"list"`

	// +k8s:minimum=2147483648
	// want-above VG203 `tag "k8s:minimum": failed to parse tag payload: value 2147483648 does not fit in int32 (range [-2147483648, 2147483647])`
	// +k8s:minimum=01
	// want-above VG203 `tag "k8s:minimum": failed to parse tag payload: "01" is not a valid int value`
	// +k8s:minimum=0b1
	// want-above VG203 `tag "k8s:minimum": failed to parse tag payload: parsing "0b1" as int: invalid syntax`
	Int32 int32 `json:"int32"`

	// +k8s:minimum=128
	// want-above VG203 `tag "k8s:minimum": failed to parse tag payload: value 128 does not fit in int8 (range [-128, 127])`
	Int8 int8 `json:"int8"`

	// +k8s:minimum=256
	// want-above VG203 `tag "k8s:minimum": failed to parse tag payload: value 256 does not fit in uint8 (range [0, 255])`
	// +k8s:minimum=-1
	// want-above VG203 `tag "k8s:minimum": failed to parse tag payload: parsing "-1" as uint: invalid syntax`
	Byte byte `json:"byte"`

	// +k8s:eachVal=+k8s:minimum=-1
	// want-above VG203 `tag "k8s:eachVal": tag "k8s:minimum": failed to parse tag payload: parsing "-1" as uint: invalid syntax`
	Map map[string]uint64 `json:"map"`

	// +k8s:neq=007
	// want-above VG203 `tag "k8s:neq": invalid integer value for payload: "007" is not a valid int value (write 7)`
	Neq int32 `json:"neq"`

	// +k8s:neq=256
	// want-above VG203 `tag "k8s:neq": invalid integer value for payload: value 256 does not fit in uint8 (range [0, 255])`
	Large uint8 `json:"large"`

	// +k8s:neq=-1
	// want-above VG203 `tag "k8s:neq": invalid integer value for payload: value -1 does not fit in uint8 (range [0, 255])`
	Negative *uint8 `json:"negative"`

	// +k8s:listType=map
	// +k8s:listMapKey=id
	// +k8s:item(id: 4294967296)=+k8s:immutable
	// want-above VG203 `value 4294967296 does not fit in int32 (range [-2147483648, 2147483647])`
	Items []Item `json:"items"`
}

// Item has a number as its key.
type Item struct {
	ID int32 `json:"id"`
}
