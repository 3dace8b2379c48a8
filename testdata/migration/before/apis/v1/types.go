package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Reservation is a table that is kept for guests.
type Reservation struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the guests have asked for.
	Spec ReservationSpec `json:"spec"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// ReservationList is a list of reservations.
type ReservationList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items is the list of reservations.
	Items []Reservation `json:"items"`
}

// ReservationSpec is what guests have asked for.
type ReservationSpec struct {
	// table is the name of the table. Guests who want another one make another reservation.
	// +required
	// +k8s:required
	// +k8s:immutable
	// +k8s:format=k8s-short-name
	Table string `json:"table"`

	// guests is how many people come.
	// +required
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=12
	Guests int32 `json:"guests"`

	// seating is where they would like to sit.
	// +optional
	// +k8s:optional
	Seating Seating `json:"seating,omitempty"`

	// notes are for the people who serve.
	// +optional
	// +k8s:optional
	Notes *string `json:"notes,omitempty"`

	// courses are what is served, in this order.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=8
	Courses []Course `json:"courses,omitempty"`

	// heaters is how many heaters are put up.
	// +optional
	// +k8s:optional
	// +k8s:ifEnabled(Terrace)=+k8s:maximum=4
	Heaters *int32 `json:"heaters,omitempty"`
}

// Seating is a part of the restaurant.
// +enum
// +k8s:enum
type Seating string

const (
	// SeatingBar is at the bar, where nobody stays for long.
	SeatingBar Seating = "Bar"
	// SeatingInside is inside, away from the door.
	SeatingInside Seating = "Inside"
	// SeatingTerrace is outside, where there may be heaters.
	SeatingTerrace Seating = "Terrace"
)

// Course is a part of a meal.
type Course struct {
	// name is unique within the meal.
	// +required
	// +k8s:required
	// +k8s:maxLength=40
	Name string `json:"name"`

	// dishes is how many dishes there are to choose from.
	// +required
	// +k8s:required
	// +k8s:minimum=1
	Dishes int32 `json:"dishes"`
}
