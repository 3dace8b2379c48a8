package robots

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Bad struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	Arms []Arm `json:"arms,omitempty"` // want VG425 "without listType the list is one value for server-side apply"

	// +k8s:optional
	Others []*Arm `json:"others,omitempty"` // want VG425 "one manager owns all items"

	// +k8s:optional
	Named Arms `json:"named,omitempty"` // want VG425 "without listType"

	// +k8s:optional
	Parts map[string]BadPart `json:"parts,omitempty"`
}

type BadPart struct {
	// +k8s:optional
	// +k8s:maxItems=4
	Legs []Leg `json:"legs,omitempty"` // want VG425 "without listType"
}

type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Leg struct {
	Size int32 `json:"size"`
}

type Arms []Arm

// +listType=atomic
type GoodLegs []Leg

type Good struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Arms []Arm `json:"arms,omitempty"`

	// +listType=atomic
	Legs []Leg `json:"legs,omitempty"`

	MoreLegs GoodLegs `json:"moreLegs,omitempty"`

	// +patchMergeKey=name
	// +patchStrategy=merge
	Feet []Leg `json:"feet,omitempty" patchStrategy:"merge" patchMergeKey:"name"`

	Tags []string `json:"tags,omitempty"`

	Data []byte `json:"data,omitempty"`

	Times []metav1.Time `json:"times,omitempty"`

	Table map[string][]Leg `json:"table,omitempty"`
}

// GoodConfig is in no object, so that nothing applies it.
type GoodConfig struct {
	// +k8s:optional
	// +k8s:maxItems=4
	Legs []Leg `json:"legs,omitempty"`
}

// GoodList is the answer to a list, which nothing applies.
type GoodList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Good `json:"items"`
}
