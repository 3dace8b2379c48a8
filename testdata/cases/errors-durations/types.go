// +k8s:validation-gen=*

// Package durations has bounds that are no durations, or on other types.
package durations

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Wait has wrong bounds.
type Wait struct {
	// +k8s:minimum=1000000000
	// want-above VG203 `field is a time.Duration, but payload is of type int (write a duration in quotes: +k8s:minimum="1s")`
	Number time.Duration `json:"number"`

	// +k8s:maximum=true
	// want-above VG203 `field is a time.Duration, but payload is of type bool`
	Bool *time.Duration `json:"bool"`

	// +k8s:minimum="1"
	// want-above VG203 `failed to parse tag payload: time: missing unit in duration "1"`
	Unit Span `json:"unit"`

	// +k8s:minimum="1m3y"
	// want-above VG203 `failed to parse tag payload: time: unknown unit "y" in duration "1m3y"`
	Unknown time.Duration `json:"unknown"`

	// +k8s:eachVal=+k8s:minimum="soon"
	// want-above VG203 `failed to parse tag payload: time: invalid duration "soon"`
	Word []time.Duration `json:"word"`

	// +k8s:minimum="2562048h"
	// want-above VG203 `failed to parse tag payload: time: invalid duration "2562048h"`
	Long time.Duration `json:"long"`

	// +k8s:minimum
	// want-above VG203 `missing required tag value of type int`
	None time.Duration `json:"none"`

	// +k8s:minimum="1"
	// want-above VG203 `field is an integer, but payload is of type string (write +k8s:minimum=1)`
	Integer int32 `json:"integer"`

	// +k8s:minimum="1us"
	// want-above VG203 `field is an integer, but payload is of type string (write +k8s:minimum=1000)`
	Defined Timeout `json:"defined"`

	// +k8s:maximum="1s"
	// want-above VG204 `(its values are texts; bound them with +kubebuilder:validation:XValidation:rule="duration(self) >=`
	Text metav1.Duration `json:"text"`
}

// Timeout is an integer of its own.
type Timeout time.Duration

// Span is another name of time.Duration.
type Span = time.Duration
