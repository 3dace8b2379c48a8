package wellknown

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Thing has an immutable field of every type with a JSON form of its own: an error tells that the values are not equal.
type Thing struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:subfield(name)=+k8s:format=k8s-short-name
	// +k8s:subfield(labels)=+k8s:eachKey=+k8s:maxLength=5
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:immutable
	Quantity resource.Quantity `json:"quantity,omitempty"`

	// +k8s:immutable
	QuantityPointer *resource.Quantity `json:"quantityPointer,omitempty"`

	// +k8s:immutable
	Time metav1.Time `json:"time,omitempty"`

	// +k8s:immutable
	MicroTime *metav1.MicroTime `json:"microTime,omitempty"`

	// +k8s:immutable
	Duration metav1.Duration `json:"duration,omitempty"`

	// +k8s:immutable
	GoTime time.Time `json:"goTime,omitempty"`

	// A duration of Go is a number of nanoseconds.
	// +k8s:immutable
	GoDuration time.Duration `json:"goDuration,omitempty"`

	// +k8s:immutable
	IntOrString intstr.IntOrString `json:"intOrString,omitempty"`

	// +k8s:immutable
	Raw runtime.RawExtension `json:"raw,omitempty"`

	// +k8s:immutable
	Bytes []byte `json:"bytes,omitempty"`

	// +k8s:immutable
	UID types.UID `json:"uid,omitempty"`

	// +k8s:immutable
	Selector *metav1.LabelSelector `json:"selector,omitempty"`

	// +k8s:immutable
	Resources map[string]resource.Quantity `json:"resources,omitempty"`

	// +k8s:immutable
	Times []metav1.Time `json:"times,omitempty"`

	// +k8s:required
	Limit *resource.Quantity `json:"limit,omitempty"`
}

// Log has structs with a JSON form of their own that may be set only once. A null is a zero struct, which is there.
type Log struct {
	// +k8s:update=NoModify
	Opened metav1.Time `json:"opened,omitempty"`

	// +k8s:eachVal=+k8s:update=NoModify
	Seen map[string]metav1.Time `json:"seen,omitempty"`

	// +k8s:subfield(left)=+k8s:update=NoModify
	Page Page `json:"page,omitempty"`

	Pages map[string]Page `json:"pages,omitempty"`
}

// Page has such a struct as well.
type Page struct {
	Left resource.Quantity `json:"left,omitempty"`

	// +k8s:update=NoModify
	Right resource.Quantity `json:"right,omitempty"`
}
