package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/fleet/geo"
	robotsv1 "example.com/fleet/robots/v1"
)

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Mission sends one robot to pick up parcels and to hand them over.
// +k8s:supportsSubresource="/status"
type Mission struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object's metadata.
	// +optional
	// +k8s:subfield(name)=+k8s:optional
	// +k8s:subfield(name)=+k8s:format=k8s-long-name
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the robot is to do.
	Spec MissionSpec `json:"spec"`

	// status is how far it has come.
	// +optional
	Status MissionStatus `json:"status,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// MissionList is a list of missions.
type MissionList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items is the list of missions.
	Items []Mission `json:"items"`
}

// MissionSpec is what a robot is to do.
type MissionSpec struct {
	// customer is the account that pays. It becomes the value of a label of the robot while it is under way.
	// +required
	// +k8s:required
	// +k8s:format=k8s-label-value
	Customer string `json:"customer"`

	// zone is where the mission takes place. A mission keeps to one zone; "everywhere" is none.
	// +required
	// +k8s:required
	// +k8s:neq="everywhere"
	Zone geo.ZoneName `json:"zone"`

	// robotPool is the pool that the robot is taken from, with a domain for each operator in front of it.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-resource-pool-name
	RobotPool *string `json:"robotPool,omitempty"`

	// requires lists what the robot must be able to do.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	Requires []robotsv1.Capability `json:"requires,omitempty"`

	// stops are visited in this order.
	// +required
	// +listType=map
	// +listMapKey=name
	// +k8s:required
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=20
	Stops []Stop `json:"stops"`

	// parcels are what is carried.
	// +optional
	// +listType=map
	// +listMapKey=id
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=id
	// +k8s:maxItems=50
	Parcels []Parcel `json:"parcels,omitempty"`

	// witnesses are the people who get a copy of the receipt, in the order in which they are told.
	// +optional
	// +listType=atomic
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=5
	Witnesses []*Witness `json:"witnesses,omitempty"`

	// notAfter is when the customer loses interest.
	// +optional
	NotAfter *metav1.Time `json:"notAfter,omitempty"`

	// airspace says how the robot passes through the air. Robots on wheels and legs leave it out.
	// +optional
	// +k8s:optional
	Airspace *Airspace `json:"airspace,omitempty"`

	// contingency is what the robot does when it cannot go on.
	// +optional
	// +k8s:optional
	Contingency *Contingency `json:"contingency,omitempty"`

	// parameters are handed to the program on the robot as they are.
	// +optional
	Parameters *runtime.RawExtension `json:"parameters,omitempty"`
}

// Stop is a place where a robot halts.
type Stop struct {
	// name is unique within the mission.
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// action is what happens here.
	// +required
	// +k8s:required
	Action StopAction `json:"action"`

	// position is the place as a point on the map.
	// +optional
	// +k8s:optional
	// +k8s:unionMember(union: "place")
	Position *geo.Position `json:"position,omitempty"`

	// dock is the place as the name of a dock.
	// +optional
	// +k8s:optional
	// +k8s:unionMember(union: "place")
	// +k8s:format=k8s-short-name
	Dock string `json:"dock,omitempty"`

	// addressLines is the place as one would write it on an envelope.
	// +optional
	// +listType=atomic
	// +k8s:optional
	// +k8s:unionMember(union: "place")
	// +k8s:listType=atomic
	// +k8s:maxItems=4
	// +k8s:eachVal=+k8s:maxLength=80
	AddressLines []string `json:"addressLines,omitempty"`

	// waitSeconds is how long the robot waits for someone to come.
	// +optional
	// +k8s:optional
	// +k8s:zeroOrOneOfMember(union: "patience")
	// +k8s:minimum=30
	WaitSeconds *int64 `json:"waitSeconds,omitempty"`

	// waitUntil is when the robot stops waiting for someone to come.
	// +optional
	// +k8s:optional
	// +k8s:zeroOrOneOfMember(union: "patience")
	WaitUntil *metav1.Time `json:"waitUntil,omitempty"`
}

// StopAction is what happens at a stop.
// +enum
// +k8s:enum
type StopAction string

const (
	// StopPickUp means that parcels are put in.
	StopPickUp StopAction = "PickUp"
	// StopHandOver means that parcels are taken out.
	StopHandOver StopAction = "HandOver"
	// StopCharge means that the robot draws power.
	StopCharge StopAction = "Charge"
)

// Parcel is a thing that is carried.
type Parcel struct {
	// id is printed on the parcel.
	// +required
	// +k8s:required
	// +k8s:format=k8s-uuid
	ID string `json:"id"`

	// weight is the weight in grams.
	Weight resource.Quantity `json:"weight"`

	// contents says how the parcel is to be handled. Nothing special is the rule.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	Contents []ParcelContents `json:"contents,omitempty"`

	// stop is the name of the stop where the parcel is handed over.
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	Stop string `json:"stop"`
}

// ParcelContents says how a parcel is to be handled.
// +enum
// +k8s:enum
type ParcelContents string

const (
	// ContentsFragile goes slowly over kerbs.
	ContentsFragile ParcelContents = "Fragile"
	// ContentsPerishable goes first.
	ContentsPerishable ParcelContents = "Perishable"
	// ContentsLiquid stays upright.
	ContentsLiquid ParcelContents = "Liquid"
)

// Witness is a person who gets a copy of the receipt.
type Witness struct {
	// name is the name of the person.
	// +required
	// +k8s:required
	// +k8s:maxLength=128
	Name string `json:"name"`

	// domain is where the mail of the person is taken in.
	// +required
	// +k8s:required
	// +k8s:format=k8s-long-name-caseless
	Domain string `json:"domain"`
}

// Airspace says how a robot passes through the air.
type Airspace struct {
	// corridor is the name of the corridor.
	// +required
	// +k8s:required
	Corridor CorridorName `json:"corridor"`

	// permit is the number under which the authorities have allowed the flight. It must be given where the
	// FlightPermits feature is on, and can be given elsewhere.
	// +optional
	// +k8s:ifEnabled(FlightPermits)=+k8s:required
	// +k8s:ifDisabled(FlightPermits)=+k8s:optional
	// +k8s:format=k8s-uuid
	Permit *string `json:"permit,omitempty"`
}

// CorridorName names a corridor in the air. Corridors are named like zones, but more of them are needed, so that
// the names are longer.
// +k8s:maxLength=63
type CorridorName geo.ZoneName

// Contingency is what a robot does when it cannot go on.
type Contingency struct {
	// action is tried first.
	// +required
	// +k8s:required
	Action ContingencyAction `json:"action"`

	// otherwise is tried when the action fails.
	// +optional
	// +k8s:optional
	Otherwise *Contingency `json:"otherwise,omitempty"`
}

// ContingencyAction is a way out of a difficulty.
// +enum
// +k8s:enum
type ContingencyAction string

const (
	// ContingencyCallHelp asks a person to take over.
	ContingencyCallHelp ContingencyAction = "CallHelp"
	// ContingencyTurnBack gives the mission up.
	ContingencyTurnBack ContingencyAction = "TurnBack"
	// ContingencyDetour looks for another way.
	ContingencyDetour ContingencyAction = "Detour"
)

// MissionStatus is how far a mission has come.
type MissionStatus struct {
	// robot is the name of the robot that was sent out.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-long-name
	Robot string `json:"robot,omitempty"`

	// outcomes appear when the mission is over. The parcels were either delivered or brought back.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "Delivered")=+k8s:unionMember
	// +k8s:item(name: "BroughtBack")=+k8s:unionMember
	Outcomes []Outcome `json:"outcomes,omitempty"`
}

// Outcome is something that came out of a mission.
type Outcome struct {
	// name says what came out of it: "Delivered", "BroughtBack", or a finding of the program on the robot.
	// +required
	// +k8s:required
	// +k8s:maxLength=64
	Name string `json:"name"`

	// at is when it happened.
	// +optional
	At metav1.Time `json:"at,omitempty"`

	// parcels is how many parcels it concerns.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	Parcels *int32 `json:"parcels,omitempty"`
}
