package typedefs

// Word, Short and Tiny are a chain. Each has the rules that stand on itself, none of those before it.
// +k8s:maxLength=5
type Word string

// +k8s:maxLength=3
type Short Word

// Tiny has no rule at all.
type Tiny Short

// Alias is Word, under another name in the source only.
type Alias = Word

type Plain string

// Other is Plain as well. A type without a comment of its own has that of its alias.
// +k8s:maxLength=4
type Other = Plain

// Late would be heard if Word had no comment.
// +k8s:maxLength=1
// want-above VG201 `so +k8s:maxLength has no effect here`
type Late = Word

// Numbers is no type at all.
// +k8s:maxItems=1
// want-above VG201 `is only another name for []int32`
type Numbers = []int32

// Count is a number.
// +k8s:minimum=1
type Count int32

// Words has a rule of its own, and those of its items' type.
// +k8s:maxItems=2
type Words []Word

// MoreWords is made from Words: it has the items' rules, but not the list's.
type MoreWords Words

// Table has rules for its keys and values by their types.
// +k8s:eachKey=+k8s:neq="x"
type Table map[Word]Count

// MoreTable has the rules of the types, and not the one of Table.
type MoreTable Table

// Box has a rule of the type and one of a field.
// +k8s:validateFalse="box"
type Box struct {
	// +k8s:required
	Label string `json:"label,omitempty"`
}

// Crate is made from Box: it has the fields and their rules, and not the rules of the type.
type Crate Box

// Case is made from Crate, with a rule of its own.
// +k8s:validateFalse="case"
type Case Crate

// Boxes is an alias of a list.
type Boxes = []Box

// All uses all of them.
type All struct {
	Word      Word      `json:"word,omitempty"`
	Short     Short     `json:"short,omitempty"`
	Tiny      Tiny      `json:"tiny,omitempty"`
	Alias     Alias     `json:"alias,omitempty"`
	Plain     Plain     `json:"plain,omitempty"`
	Late      Late      `json:"late,omitempty"`
	Numbers   Numbers   `json:"numbers,omitempty"`
	Words     Words     `json:"words,omitempty"`
	MoreWords MoreWords `json:"moreWords,omitempty"`
	Table     Table     `json:"table,omitempty"`
	MoreTable MoreTable `json:"moreTable,omitempty"`
	// +k8s:optional
	Box *Box `json:"box,omitempty"`
	// +k8s:optional
	Crate *Crate `json:"crate,omitempty"`
	// +k8s:optional
	Case  *Case `json:"case,omitempty"`
	Boxes Boxes `json:"boxes,omitempty"`

	// The rules of the field count with those of the type, and before them.
	// +k8s:neq="abcdef"
	Field Word `json:"field,omitempty"`
}
