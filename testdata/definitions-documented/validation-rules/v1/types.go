package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Pond has as many fish as it has room for.
//
// +kubebuilder:object:root=true
// +kubebuilder:validation:XValidation:rule="self.metadata.name.startsWith(self.spec.prefix)",message="the name must begin with the prefix",fieldPath=".spec.prefix"
type Pond struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PondSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.least <= self.fish",message="fish must not be below least"
// +kubebuilder:validation:XValidation:rule="self.fish <= self.most",messageExpression="self.most > 0 ? 'there are too many fish' : 'there can be no fish'",reason=FieldValueForbidden,fieldPath=".fish"
type PondSpec struct {
	// +kubebuilder:validation:MaxLength=20
	Prefix string `json:"prefix"`

	Least int32 `json:"least"`
	Fish  int32 `json:"fish"`
	Most  int32 `json:"most"`

	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the depth of a pond stays as it is"
	Depth int32 `json:"depth,omitempty"`

	// The shape stays as it is, also where there is none.
	// +k8s:optional
	// +k8s:immutable
	Shape *string `json:"shape,omitempty"`
}
