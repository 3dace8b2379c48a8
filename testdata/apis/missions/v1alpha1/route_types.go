package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/fleet/geo"
)

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Route is a way through a city that missions can refer to by name. It has no status: nobody acts on it.
type Route struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object's metadata.
	// +optional
	// +k8s:subfield(name)=+k8s:optional
	// +k8s:subfield(name)=+k8s:format=k8s-short-name
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the way.
	Spec RouteSpec `json:"spec"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// RouteList is a list of routes.
type RouteList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items is the list of routes.
	Items []Route `json:"items"`
}

// RouteSpec describes a way through a city.
type RouteSpec struct {
	// waypoints are passed in this order.
	// +required
	// +k8s:required
	Waypoints Waypoints `json:"waypoints"`

	// area is the area that the route does not leave.
	// +optional
	// +k8s:optional
	Area *geo.Area `json:"area,omitempty"`

	// closures are the hours at which parts of the route are closed, by the name of the part.
	// +optional
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-short-name
	Closures map[string]Closure `json:"closures,omitempty"`

	// tolls are what the owners of the ground ask for, in cents, by their domain and the name of the toll.
	// +optional
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-resource-fully-qualified-name
	// +k8s:eachVal=+k8s:minimum=1
	// +k8s:eachVal=+k8s:neq=999
	Tolls map[string]int64 `json:"tolls,omitempty"`
}

// Waypoints are the points that a route passes through. It may pass through one of them several times.
// +k8s:listType=atomic
// +k8s:maxItems=500
type Waypoints []Waypoint

// Waypoint is a point that a route passes through.
type Waypoint struct {
	// Position is where the point is.
	geo.Position `json:",inline"`

	// surface is what the robot moves on up to the next point.
	// +optional
	// +k8s:optional
	Surface geo.Surface `json:"surface,omitempty"`

	// hint is read out to people who ask the robot where it is going.
	// +optional
	// +k8s:optional
	// +k8s:maxLength=140
	Hint *string `json:"hint,omitempty"`
}

// Closure is a span of hours at which a part of a route is closed.
type Closure struct {
	// fromHour is the first hour of the day. Midnight is 0.
	// +required
	// +k8s:required
	// +k8s:minimum=0
	FromHour *int32 `json:"fromHour"`

	// hours is how many hours the closure lasts.
	// +required
	// +k8s:required
	// +k8s:minimum=1
	Hours int32 `json:"hours"`

	// permanent closures have no end. Nobody has a use for them here: the route would be another one.
	// +optional
	// +k8s:optional
	// +k8s:neq=true
	Permanent bool `json:"permanent,omitempty"`
}
