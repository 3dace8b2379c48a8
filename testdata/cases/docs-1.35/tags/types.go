// Package tags has a type for each tag. It says nothing about generation: it carries tags, so it takes part.
package tags

import "example.com/elsewhere/paint"

// Seats shows eachKey: all keys must be at least 1.
type Seats struct {
	// +k8s:eachKey=+k8s:minimum=1
	Guests map[int]string `json:"guests"`
}

// Stock shows eachVal: all values must be at least 1.
type Stock struct {
	// +k8s:eachVal=+k8s:minimum=1
	Pieces map[string]int `json:"pieces"`
}

// Grade shows enum.
// +k8s:enum
type Grade string

// The legal grades.
const (
	GradeA Grade = "A"
	GradeB Grade = "B"
)

// Fruit uses an enum.
type Fruit struct {
	Grade Grade `json:"grade"`
}

// Retired shows forbidden.
type Retired struct {
	// +k8s:forbidden
	Office string `json:"office"`
}

// Host shows format.
type Host struct {
	// +k8s:format=k8s-ip
	Address string `json:"address"`

	// +k8s:format=k8s-long-name
	Domain string `json:"domain"`

	// +k8s:format=k8s-short-name
	Label string `json:"label"`
}

// WhenOff shows ifDisabled.
type WhenOff struct {
	// +k8s:ifDisabled("my-feature")=+k8s:required
	Fallback string `json:"fallback"`
}

// WhenOn shows ifEnabled.
type WhenOn struct {
	// +k8s:ifEnabled("my-feature")=+k8s:required
	Setting string `json:"setting"`
}

// Plate shows immutable.
type Plate struct {
	// +k8s:immutable
	Number string `json:"number"`
}

// Endpoints shows item: of the items with these keys, one may not change and the other must be there.
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:listMapKey=port
// +k8s:item(name: "http", port: 80)=+k8s:immutable
// +k8s:item(name: "https", port: 443)=+k8s:required
type Endpoints []Endpoint

// Endpoint is an item of Endpoints.
type Endpoint struct {
	Name string `json:"name"`
	Port int    `json:"port"`
	Path string `json:"path,omitempty"`
}

// Server holds Endpoints.
type Server struct {
	Endpoints Endpoints `json:"endpoints"`
}

// Translations shows listMapKey: two members together are the key.
// +k8s:listType=map
// +k8s:listMapKey=language
// +k8s:listMapKey=region
type Translations []Translation

// Translation is an item of Translations.
type Translation struct {
	Language string `json:"language"`
	Region   string `json:"region"`
	Text     string `json:"text"`
}

// Glossary shows listType: the key of an item is unique.
// +k8s:listType=map
// +k8s:listMapKey=word
type Glossary []Entry

// Entry is an item of Glossary.
type Entry struct {
	Word    string `json:"word"`
	Meaning string `json:"meaning"`
}

// Book holds both lists.
type Book struct {
	Translations Translations `json:"translations"`
	Glossary     Glossary     `json:"glossary"`
}

// Basket shows maxItems.
type Basket struct {
	// +k8s:maxItems=5
	Things []string `json:"things"`
}

// Tweet shows maxLength.
type Tweet struct {
	// +k8s:maxLength=10
	Text string `json:"text"`
}

// Account shows minimum.
type Account struct {
	// +k8s:minimum=0
	Balance int `json:"balance"`
}

// Choice shows neq, for each type that it knows.
type Choice struct {
	// +k8s:neq="default"
	Name string `json:"name"`

	// +k8s:neq=0
	Count int `json:"count"`

	// +k8s:neq=true
	Flag bool `json:"flag"`
}

// Door shows opaqueType on a type of a package that is not at hand.
type Door struct {
	// +k8s:opaqueType
	Colour paint.Colour `json:"colour"`
}

// Guest shows optional.
type Guest struct {
	// +k8s:optional
	Title string `json:"title"`
}

// Ticket shows required.
type Ticket struct {
	// +k8s:required
	Holder string `json:"holder"`
}

// Parcel shows subfield.
type Parcel struct {
	// +k8s:subfield("street")=+k8s:required
	Address Address `json:"address"`
}

// Address makes no demands itself.
type Address struct {
	Street string `json:"street"`
}

// Trip shows unionDiscriminator, and unionMember with and without a name.
type Trip struct {
	// +k8s:unionDiscriminator
	By string `json:"by"`

	// +k8s:unionMember
	Train *Train `json:"train,omitempty"`

	// +k8s:unionMember="sea"
	Ship *Ship `json:"ship,omitempty"`
}

// Dessert shows zeroOrOneOfMember.
type Dessert struct {
	// +k8s:zeroOrOneOfMember
	Train *Train `json:"train,omitempty"`

	// +k8s:zeroOrOneOfMember
	Ship *Ship `json:"ship,omitempty"`
}

// Train is a member.
type Train struct{}

// Ship is a member.
type Ship struct{}
