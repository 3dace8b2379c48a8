package eachval

// Menu has lists and maps with rules for what is in them.
type Menu struct {
	// +k8s:eachVal=+k8s:minimum=1
	Prices []int32 `json:"prices,omitempty"`

	// +k8s:eachVal=+k8s:maxLength=3
	Tags []*string `json:"tags,omitempty"`

	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=3
	Codes []string `json:"codes,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(size)=+k8s:minimum=1
	Dishes []Dish `json:"dishes,omitempty"`

	// +k8s:eachVal=+k8s:minimum=1
	ByDay map[string]int32 `json:"byDay,omitempty"`

	// Two tags are two loops: the first looks at all items before the second begins.
	// +k8s:eachVal=+k8s:neq="salt"
	// +k8s:eachVal=+k8s:maxLength=5
	Spices []string `json:"spices,omitempty"`

	Courses Courses `json:"courses,omitempty"`

	// The rule on the field comes before the one on the type of the items.
	// +k8s:eachVal=+k8s:neq="tap"
	Drinks []Drink `json:"drinks,omitempty"`

	Cellar map[string]Drink `json:"cellar,omitempty"`

	Guests []*Guest `json:"guests,omitempty"`
}

// Dish has a rule of its own, apart from the one that the menu has for it.
type Dish struct {
	Name string `json:"name"`
	Size int32  `json:"size"`
	// +k8s:neq="burnt"
	State string `json:"state,omitempty"`
}

// Courses has its rule on the type.
// +k8s:eachVal=+k8s:maxLength=6
type Courses []string

// Drink has a rule of its own.
// +k8s:maxLength=4
type Drink string

// Guest is met through pointers.
type Guest struct {
	// +k8s:minimum=1
	Seats int32 `json:"seats"`
}
