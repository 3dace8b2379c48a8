"""Package v1alpha1 is the v1alpha1 version of the missions API: what robots are sent out for, and on which ways.

+k8s:deepcopy-gen=package
+k8s:openapi-gen=true
+k8s:validation-gen=TypesWithField=TypeMeta
+groupName=missions.example.com
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, TypeAlias

from validation_gen.types import Inline, Int32, Json
from validation_gen.types.meta import (
    ListMeta,
    ObjectMeta,
    Quantity,
    RawExtension,
    Time,
    TypeMeta,
)

from ..geo import Area, Position, Surface, ZoneName
from ..robots.v1 import Capability

__all__ = [
    "Mission",
    "MissionList",
    "MissionSpec",
    "Stop",
    "StopAction",
    "Parcel",
    "ParcelContents",
    "Witness",
    "Airspace",
    "CorridorName",
    "Contingency",
    "ContingencyAction",
    "MissionStatus",
    "Outcome",
    "Route",
    "RouteList",
    "RouteSpec",
    "Waypoints",
    "Waypoint",
    "Closure",
]

# +genclient
# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# Mission sends one robot to pick up parcels and to hand them over.
# +k8s:supportsSubresource="/status"
@dataclass(kw_only=True)
class Mission(TypeMeta):
    # metadata is the standard object's metadata.
    # +optional
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-long-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # spec is what the robot is to do.
    spec: MissionSpec

    # status is how far it has come.
    # +optional
    status: MissionStatus = field(default_factory=lambda: MissionStatus())


# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# MissionList is a list of missions.
@dataclass(kw_only=True)
class MissionList(TypeMeta):
    # +optional
    metadata: ListMeta = field(default_factory=ListMeta)

    # items is the list of missions.
    items: list[Mission]


# MissionSpec is what a robot is to do.
@dataclass(kw_only=True)
class MissionSpec:
    # customer is the account that pays. It becomes the value of a label of the robot while it is under way.
    # +required
    # +k8s:required
    # +k8s:format=k8s-label-value
    customer: str

    # zone is where the mission takes place. A mission keeps to one zone; "everywhere" is none.
    # +required
    # +k8s:required
    # +k8s:neq="everywhere"
    zone: ZoneName

    # robotPool is the pool that the robot is taken from, with a domain for each operator in front of it.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-resource-pool-name
    robot_pool: str | None = None

    # requires lists what the robot must be able to do.
    # +optional
    # +listType=set
    # +k8s:optional
    # +k8s:listType=set
    # +k8s:maxItems=8
    requires: list[Capability] = field(default_factory=list)

    # stops are visited in this order.
    # +required
    # +listType=map
    # +listMapKey=name
    # +k8s:required
    # +k8s:listType=map
    # +k8s:listMapKey=name
    # +k8s:maxItems=20
    stops: list[Stop]

    # parcels are what is carried.
    # +optional
    # +listType=map
    # +listMapKey=id
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=id
    # +k8s:maxItems=50
    parcels: list[Parcel] = field(default_factory=list)

    # witnesses are the people who get a copy of the receipt, in the order in which they are told.
    # +optional
    # +listType=atomic
    # +k8s:optional
    # +k8s:listType=atomic
    # +k8s:maxItems=5
    witnesses: list[Witness | None] = field(default_factory=list)

    # notAfter is when the customer loses interest.
    # +optional
    not_after: Time | None = None

    # airspace says how the robot passes through the air. Robots on wheels and legs leave it out.
    # +optional
    # +k8s:optional
    airspace: Airspace | None = None

    # contingency is what the robot does when it cannot go on.
    # +optional
    # +k8s:optional
    contingency: Contingency | None = None

    # parameters are handed to the program on the robot as they are.
    # +optional
    parameters: RawExtension | None = None


# Stop is a place where a robot halts.
@dataclass(kw_only=True)
class Stop:
    # name is unique within the mission.
    # +required
    # +k8s:required
    # +k8s:format=k8s-short-name
    name: str

    # action is what happens here.
    # +required
    # +k8s:required
    action: StopAction

    # position is the place as a point on the map.
    # +optional
    # +k8s:optional
    # +k8s:unionMember(union: "place")
    position: Position | None = None

    # dock is the place as the name of a dock.
    # +optional
    # +k8s:optional
    # +k8s:unionMember(union: "place")
    # +k8s:format=k8s-short-name
    dock: str = ""

    # addressLines is the place as one would write it on an envelope.
    # +optional
    # +listType=atomic
    # +k8s:optional
    # +k8s:unionMember(union: "place")
    # +k8s:listType=atomic
    # +k8s:maxItems=4
    # +k8s:eachVal=+k8s:maxLength=80
    address_lines: list[str] = field(default_factory=list)

    # waitSeconds is how long the robot waits for someone to come.
    # +optional
    # +k8s:optional
    # +k8s:zeroOrOneOfMember(union: "patience")
    # +k8s:minimum=30
    wait_seconds: int | None = None

    # waitUntil is when the robot stops waiting for someone to come.
    # +optional
    # +k8s:optional
    # +k8s:zeroOrOneOfMember(union: "patience")
    wait_until: Time | None = None


# StopAction is what happens at a stop.
# +enum
class StopAction(str, Enum):
    # StopPickUp means that parcels are put in.
    PICK_UP = "PickUp"

    # StopHandOver means that parcels are taken out.
    HAND_OVER = "HandOver"

    # StopCharge means that the robot draws power.
    CHARGE = "Charge"


# Parcel is a thing that is carried.
@dataclass(kw_only=True)
class Parcel:
    # id is printed on the parcel.
    # +required
    # +k8s:required
    # +k8s:format=k8s-uuid
    id: str

    # weight is the weight in grams.
    weight: Quantity

    # contents says how the parcel is to be handled. Nothing special is the rule.
    # +optional
    # +listType=set
    # +k8s:optional
    # +k8s:listType=set
    contents: list[ParcelContents] = field(default_factory=list)

    # stop is the name of the stop where the parcel is handed over.
    # +required
    # +k8s:required
    # +k8s:format=k8s-short-name
    stop: str


# ParcelContents says how a parcel is to be handled.
# +enum
class ParcelContents(str, Enum):
    # ContentsFragile goes slowly over kerbs.
    FRAGILE = "Fragile"

    # ContentsPerishable goes first.
    PERISHABLE = "Perishable"

    # ContentsLiquid stays upright.
    LIQUID = "Liquid"


# Witness is a person who gets a copy of the receipt.
@dataclass(kw_only=True)
class Witness:
    # name is the name of the person.
    # +required
    # +k8s:required
    # +k8s:maxLength=128
    name: str

    # domain is where the mail of the person is taken in.
    # +required
    # +k8s:required
    # +k8s:format=k8s-long-name-caseless
    domain: str


# Airspace says how a robot passes through the air.
@dataclass(kw_only=True)
class Airspace:
    # corridor is the name of the corridor.
    # +required
    # +k8s:required
    corridor: CorridorName

    # permit is the number under which the authorities have allowed the flight. It must be given where the
    # FlightPermits feature is on, and can be given elsewhere.
    # +optional
    # +k8s:ifEnabled(FlightPermits)=+k8s:required
    # +k8s:ifDisabled(FlightPermits)=+k8s:optional
    # +k8s:format=k8s-uuid
    permit: str | None = None


# CorridorName names a corridor in the air. Corridors are named like zones, but more of them are needed, so that
# the names are longer.
# +k8s:maxLength=63
CorridorName: TypeAlias = ZoneName


# Contingency is what a robot does when it cannot go on.
@dataclass(kw_only=True)
class Contingency:
    # action is tried first.
    # +required
    # +k8s:required
    action: ContingencyAction

    # otherwise is tried when the action fails.
    # +optional
    # +k8s:optional
    otherwise: Contingency | None = None


# ContingencyAction is a way out of a difficulty.
# +enum
class ContingencyAction(str, Enum):
    # ContingencyCallHelp asks a person to take over.
    CALL_HELP = "CallHelp"

    # ContingencyTurnBack gives the mission up.
    TURN_BACK = "TurnBack"

    # ContingencyDetour looks for another way.
    DETOUR = "Detour"


# MissionStatus is how far a mission has come.
@dataclass(kw_only=True)
class MissionStatus:
    # robot is the name of the robot that was sent out.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-long-name
    robot: str = ""

    # outcomes appear when the mission is over. The parcels were either delivered or brought back.
    # +optional
    # +listType=map
    # +listMapKey=name
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    # +k8s:item(name: "Delivered")=+k8s:unionMember
    # +k8s:item(name: "BroughtBack")=+k8s:unionMember
    outcomes: list[Outcome] = field(default_factory=list)


# Outcome is something that came out of a mission.
@dataclass(kw_only=True)
class Outcome:
    # name says what came out of it: "Delivered", "BroughtBack", or a finding of the program on the robot.
    # +required
    # +k8s:required
    # +k8s:maxLength=64
    name: str

    # at is when it happened.
    # +optional
    at: Annotated[Time, Json(omit="omitempty")]

    # parcels is how many parcels it concerns.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    parcels: Annotated[int, Int32] | None = None


# +genclient
# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# Route is a way through a city that missions can refer to by name. It has no status: nobody acts on it.
@dataclass(kw_only=True)
class Route(TypeMeta):
    # metadata is the standard object's metadata.
    # +optional
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-short-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # spec describes the way.
    spec: RouteSpec


# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# RouteList is a list of routes.
@dataclass(kw_only=True)
class RouteList(TypeMeta):
    # +optional
    metadata: ListMeta = field(default_factory=ListMeta)

    # items is the list of routes.
    items: list[Route]


# RouteSpec describes a way through a city.
@dataclass(kw_only=True)
class RouteSpec:
    # waypoints are passed in this order.
    # +required
    # +k8s:required
    waypoints: Waypoints

    # area is the area that the route does not leave.
    # +optional
    # +k8s:optional
    area: Area | None = None

    # closures are the hours at which parts of the route are closed, by the name of the part.
    # +optional
    # +k8s:optional
    # +k8s:eachKey=+k8s:format=k8s-short-name
    closures: dict[str, Closure] = field(default_factory=dict)

    # tolls are what the owners of the ground ask for, in cents, by their domain and the name of the toll.
    # +optional
    # +k8s:optional
    # +k8s:eachKey=+k8s:format=k8s-resource-fully-qualified-name
    # +k8s:eachVal=+k8s:minimum=1
    # +k8s:eachVal=+k8s:neq=999
    tolls: dict[str, int] = field(default_factory=dict)


# Waypoints are the points that a route passes through. It may pass through one of them several times.
# +k8s:listType=atomic
# +k8s:maxItems=500
Waypoints: TypeAlias = "list[Waypoint]"


# Waypoint is a point that a route passes through.
@dataclass(kw_only=True)
class Waypoint:
    # Position is where the point is.
    position: Annotated[Position, Inline]

    # surface is what the robot moves on up to the next point.
    # +optional
    # +k8s:optional
    surface: Annotated[Surface, Json(omit="omitempty")]

    # hint is read out to people who ask the robot where it is going.
    # +optional
    # +k8s:optional
    # +k8s:maxLength=140
    hint: str | None = None


# Closure is a span of hours at which a part of a route is closed.
@dataclass(kw_only=True)
class Closure:
    # fromHour is the first hour of the day. Midnight is 0.
    # +required
    # +k8s:required
    # +k8s:minimum=0
    from_hour: Annotated[int, Int32] | None

    # hours is how many hours the closure lasts.
    # +required
    # +k8s:required
    # +k8s:minimum=1
    hours: Annotated[int, Int32]

    # permanent closures have no end. Nobody has a use for them here: the route would be another one.
    # +optional
    # +k8s:optional
    # +k8s:neq=true
    permanent: bool = False


# GroupName is the name of the API group.
GROUP_NAME = "missions.example.com"
