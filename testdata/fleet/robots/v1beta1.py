"""Package v1beta1 is the v1beta1 version of the robots API. It is served for old clients; new ones use v1.

+k8s:deepcopy-gen=package
+k8s:openapi-gen=true
+k8s:validation-gen=TypesWithField=TypeMeta
+groupName=robots.example.com
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from validation_gen.types import Int32, Json
from validation_gen.types.meta import ListMeta, ObjectMeta, Quantity, Time, TypeMeta

from .v1 import Capability, LeggedDrive, RobotPhase, RotorDrive, WheeledDrive

__all__ = ["Robot", "RobotList", "RobotSpec", "Drive", "DriveType", "RobotStatus"]

# +genclient
# +genclient:nonNamespaced
# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
# +k8s:supportsSubresource="/status"


# Robot is one machine of the fleet.
@dataclass(kw_only=True)
class Robot(TypeMeta):
    # metadata is the standard object's metadata. The name is painted on the machine.
    # +optional
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-long-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # spec describes the machine and what it may do.
    spec: RobotSpec

    # status is what the machine last reported about itself.
    # +optional
    status: Annotated[RobotStatus, Json(omit="omitempty")]


# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# RobotList is a list of robots.
@dataclass(kw_only=True)
class RobotList(TypeMeta):
    # +optional
    metadata: ListMeta = field(default_factory=ListMeta)

    # items is the list of robots.
    items: list[Robot]


# RobotSpec describes a robot.
@dataclass(kw_only=True)
class RobotSpec:
    # model is the product name that the manufacturer gave the machine.
    # +required
    # +k8s:required
    # +k8s:maxLength=64
    model: str

    # drive is how the machine moves.
    drive: Drive

    # batteryCapacity is the usable energy in watt hours.
    # +optional
    battery_capacity: Quantity | None = None

    # capabilities say which jobs the machine may be given.
    # +optional
    # +listType=set
    # +k8s:optional
    # +k8s:listType=set
    # +k8s:maxItems=16
    capabilities: list[Capability] = field(default_factory=list)

    # radioChannel was the channel of the analogue radio link. The licence for it has run out.
    # +optional
    # +k8s:forbidden
    radio_channel: Annotated[int, Int32] | None = None


# Drive is how a robot moves. The type says which of the members must be set.
@dataclass(kw_only=True)
class Drive:
    # type selects the member that is set.
    # +unionDiscriminator
    # +required
    # +k8s:required
    # +k8s:unionDiscriminator
    type: DriveType

    # wheeled describes a machine that rolls.
    # +optional
    # +k8s:optional
    # +k8s:unionMember
    wheeled: WheeledDrive | None = None

    # legged describes a machine that walks.
    # +optional
    # +k8s:optional
    # +k8s:unionMember
    legged: LeggedDrive | None = None

    # rotor describes a machine that flies.
    # +optional
    # +k8s:optional
    # +k8s:unionMember(memberName: "Flying")
    rotor: RotorDrive | None = None


# DriveType is a way to move.
# +enum
class DriveType(str, Enum):
    # DriveWheeled machines roll.
    WHEELED = "Wheeled"

    # DriveLegged machines walk.
    LEGGED = "Legged"

    # DriveFlying machines fly.
    FLYING = "Flying"


# RobotStatus is what a robot reports about itself.
@dataclass(kw_only=True)
class RobotStatus:
    # phase sums up what the machine is doing.
    # +optional
    # +k8s:optional
    phase: Annotated[RobotPhase, Json(omit="omitempty")]

    # chargePercent is how full the battery is.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    charge_percent: Annotated[int, Int32] | None = None

    # lastSeen is when the machine last reported.
    # +optional
    last_seen: Time | None = None


# GroupName is the name of the API group.
GROUP_NAME = "robots.example.com"
