package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/cases/shape-packages/goods"
	other "example.com/cases/shape-packages/quiet"
)

// Shop has goods.
type Shop struct {
	metav1.TypeMeta `json:",inline"`

	Best   goods.Item            `json:"best"`
	Second *goods.Item           `json:"second,omitempty"`
	Stock  []goods.Item          `json:"stock,omitempty"`
	ByName map[goods.Name]goods.Item `json:"byName,omitempty"`
	List   goods.Items           `json:"list,omitempty"`

	// A type made from one of another package has the rules of its fields.
	Own Own `json:"own"`

	// +k8s:maxLength=2
	Name goods.Name `json:"name,omitempty"`

	Quiet other.Quiet `json:"quiet,omitempty"`

	Sort goods.Kind `json:"sort,omitempty"`

	// An enum made from another package's enum has no constants there.
	OwnSort OwnKind `json:"ownSort,omitempty"`
}

// Own is made from a type of another package.
type Own goods.Item

// OwnKind has one constant here, and none of those of its origin.
// +k8s:enum
type OwnKind goods.Kind

// OwnKindA is the one; the other is of a type of another package, which its own package does not know of.
const (
	OwnKindA  OwnKind    = "A"
	ForeignB  goods.Kind = "Foreign"
)
